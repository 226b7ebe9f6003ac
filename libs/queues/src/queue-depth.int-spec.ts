import { createServer, type Server, type Socket } from 'node:net';
import { Metrics } from '@portage/observability';
import { testedBackends } from '@portage/testing';
import { startApplication, type TestApplication } from '@portage/testing/application';
import { QueueBackend } from './queue-backend';
import { QueueDepth } from './queue-depth';

const MINUTE = 60_000;

async function shown(test: TestApplication): Promise<{ waiting: Record<string, number>; depths: number }> {
  const { oldestWaiting, queueDepth } = test.app.get(Metrics);
  const { values } = await oldestWaiting.get();
  return {
    waiting: Object.fromEntries(values.map(({ labels, value }) => [labels['queue'], value])),
    depths: (await queueDepth.get()).values.length,
  };
}

describe.each(testedBackends())('the age of what waits in a queue (%s)', (backend) => {
  let test: TestApplication;

  beforeEach(async () => {
    test = await startApplication(backend);
  });
  afterEach(async () => {
    await test.app.close();
  });

  const add = async (minutesAgo: number, opts: object = {}) =>
    test.app
      .get(QueueBackend)
      .queue('account-imports')
      .add('import-account', {}, { timestamp: Date.now() - minutesAgo * MINUTE, ...opts });
  const age = async (): Promise<number> => {
    await test.app.get(QueueDepth).observe();
    return (await shown(test)).waiting['account-imports']! / 60;
  };

  it('is that of the job that is next, and 0 when none waits', async () => {
    expect(await age()).toBe(0);
    await add(12);
    await add(7);
    expect(await age()).toBeCloseTo(12, 1);
  });

  it('leaves out what is not due yet', async () => {
    await add(12, { delay: 60 * MINUTE });
    expect(await age()).toBe(0);
  });

  it('does not begin before a job was due', async () => {
    const job = await add(12, { delay: 60 * MINUTE });
    await job.promote();
    expect(await age()).toBe(0);
  });
});

it('a queue that takes questions and answers none costs a scrape its limit and leaves the gauges empty', async () => {
  const sockets = new Set<Socket>();
  const silent: Server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const test = await startApplication('postgres', {
    REDIS_URL: `redis://127.0.0.1:${port}`,
    METRICS_TIMEOUT_MS: '300',
  });
  try {
    const start = performance.now();
    await test.app.get(QueueDepth).observe();
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(await shown(test)).toEqual({ waiting: {}, depths: 0 });
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
    await test.app.close();
  }
});
