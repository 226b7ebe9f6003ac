import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { freePort } from './free-port';
import { SERVICE_HEAP_MEBIBYTES, ServiceProcess } from './service-process';

let directory: string;
beforeEach(() => {
  directory = newDirectory();
});

async function launch(script: string, env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const port = await freePort();
  const file = join(directory, 'service.cjs');
  writeFileSync(file, script);
  return ServiceProcess.launch({
    name: 'the service',
    script: file,
    env: { ...env, PORT: String(port) },
    logFile: join(directory, 'service.log'),
    readyUrl: `http://127.0.0.1:${port}/`,
  });
}

const HTTP_SERVICE = `require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1');`;

describe('a service', () => {
  it('is ready when its URL responds, and stops on SIGTERM', async () => {
    const service = await launch(`console.log('hello from ' + process.env.NAME);${HTTP_SERVICE}`, {
      NAME: 'here',
    });
    await service.waitUntilReady();
    expect(service.isRunning).toBe(true);
    expect(service.logTail()).toContain('hello from here');
    expect(await service.stop()).toBe(true);
    expect(service.isRunning).toBe(false);
    expect(await service.stop()).toBe(true);
  });

  it.each([
    [undefined, SERVICE_HEAP_MEBIBYTES],
    ['--max-old-space-size=160', 160],
  ])('has a heap that does not depend on the machine; with NODE_OPTIONS %s', async (nodeOptions, heap) => {
    const printLimit = "console.log('heap ' + require('node:v8').getHeapStatistics().heap_size_limit)";
    const service = await launch(`${printLimit};${HTTP_SERVICE}`, { NODE_OPTIONS: nodeOptions });
    await service.waitUntilReady();
    const printed = service.logTail();
    await service.stop();
    // V8 adds the young generation, whose size depends on the version of Node.
    const expected = execFileSync(process.execPath, [`--max-old-space-size=${heap}`, '-e', printLimit]);
    expect(printed).toContain(expected.toString().trim());
  });

  it('a service that exits during its start is an error with the end of its log', async () => {
    const service = await launch(`console.error('the port is taken'); process.exit(3);`);
    await expect(service.waitUntilReady()).rejects.toThrow(
      /the service exited during its start\.\n[^]*the port is taken/,
    );
    expect(await service.exited).toBe(3);
  });

  it('a service that never becomes ready is an error at the timeout', async () => {
    const service = await launch('setInterval(() => undefined, 1000);');
    await expect(service.waitUntilReady(200)).rejects.toThrow(/was not ready within 0\.2 s/);
    await service.stop();
  });

  it('a service that ignores SIGTERM is killed', async () => {
    const service = await launch(`process.on('SIGTERM', () => undefined);${HTTP_SERVICE}`);
    await service.waitUntilReady();
    expect(await service.stop(100)).toBe(false);
    expect(service.isRunning).toBe(false);
  });
});

describe('a free port', () => {
  const listening: Server[] = [];
  afterEach(() => {
    for (const server of listening.splice(0)) server.close();
  });
  const take = async (port: number): Promise<void> =>
    new Promise((resolve) => {
      listening.push(createServer().listen(port, '127.0.0.1', resolve));
    });

  it('is the preferred port if that is free', async () => {
    const port = await freePort();
    expect(await freePort(port)).toBe(port);
  });

  it('is another port if the preferred port is in use', async () => {
    const taken = await freePort();
    await take(taken);
    const port = await freePort(taken);
    expect(port).not.toBe(taken);
    await take(port);
  });
});
