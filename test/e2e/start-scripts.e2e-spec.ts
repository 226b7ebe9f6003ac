import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtProgram, newDatabase, newDirectory, REPOSITORY, until } from '@portage/testing';
import { freePort } from '@portage/local-environment';
import { TestServer } from '@portage/testing/test-server';

const APPS = ['api', 'worker'] as const;

/** The variables of a program, without those of the tests. */
const environment = (env: NodeJS.ProcessEnv) => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  LOG_LEVEL: 'error',
  ...env,
});

/** The processes with the text in their environment. */
function processesOf(marker: string): string[] {
  const listed = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return listed.split('\n').filter((line) => line.includes(marker));
}

describe.each(APPS)('npm run start:%s', (app) => {
  let directory: string;
  let npm: ChildProcess;
  beforeAll(() => {
    directory = newDirectory();
  });
  afterAll(() => {
    for (const line of processesOf(directory)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  });

  it('ends with npm when npm is told to stop', async () => {
    const port = String(await freePort());
    npm = spawn('npm', ['run', `start:${app}`], {
      cwd: REPOSITORY,
      env: environment({
        DATABASE_URL: await newDatabase(),
        PORTAGE_DIR: join(directory, 'portage'),
        API_PORT: port,
        WORKER_PORT: port,
      }),
      stdio: 'ignore',
    });
    await until(
      async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.ok ?? false,
      'The program is not ready.',
    );
    const ended = once(npm, 'exit');
    npm.kill('SIGTERM');
    await ended;
    await until(
      () => processesOf(directory).length === 0,
      () => processesOf(directory).join('\n').slice(0, 1_000),
    );
  });
});

describe.each(APPS)('the program %s', (app) => {
  it('says in one line of JSON that the database is away, and ends', async () => {
    const url = `postgres://portage:secret@127.0.0.1:${await freePort()}/portage`;
    const { status, stdout, stderr } = spawnSync(process.execPath, [builtProgram(app)], {
      env: environment({ DATABASE_URL: url, PORTAGE_DIR: newDirectory() }),
      encoding: 'utf8',
    });
    expect([status, stderr, stdout.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    expect(JSON.parse(stdout)).toMatchObject({
      msg: expect.stringMatching(/^The \w+ cannot start: the database cannot be reached\.$/),
      error: { name: 'DatabaseUnavailable', message: expect.stringContaining('ECONNREFUSED') },
    });
    expect(stdout).not.toContain('secret');
  });

  it('says where to set the address of the database', () => {
    const { status, stderr } = spawnSync(process.execPath, [builtProgram(app)], {
      env: environment({ PORTAGE_DIR: newDirectory() }),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/DATABASE_URL: .*\.env.*postgres:\/\//)]);
  });
});

describe('the console of npm run dev', () => {
  let api: TestServer;
  let vite: ChildProcess | undefined;
  beforeAll(async () => {
    api = await TestServer.start(({ headers }, response) => response.end(headers.host));
  });
  afterAll(async () => {
    vite?.kill('SIGKILL');
    await api.stop();
  });

  it('is served from its sources, and sends requests to the API with the host of the page', async () => {
    vite = spawn(process.execPath, [join(REPOSITORY, 'apps/console/serve.mjs')], {
      env: environment({ API_URL: api.url, NO_COLOR: '1' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    vite.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await until(() => /Local: .*\n/.test(output), 'Vite does not print its address.');
    const page = new URL(/Local: +(\S+)/.exec(output)?.[1] ?? '');
    expect(await (await fetch(page)).text()).toContain('src="/console/@vite/client"');
    expect(await (await fetch(new URL('/operator/v1/session', page))).text()).toBe(page.host);
  });
});
