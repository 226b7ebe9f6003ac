import { createServer } from 'node:net';
import { testedBackends } from '@portage/testing';
import { startApplication, type TestApplication, useApplicationPerCase } from '@portage/testing/application';
import { listenLocally } from '@portage/testing/local-server';
import { Metrics } from '../observability/metrics';
import { QueueDepth } from './queue-depth';
import { Queues } from './queues';

const MINUTE = 60_000;

/** Waits for the queue longer than a scrape does, so that a busy machine does not empty the gauges. */
async function observe(test: TestApplication): Promise<void> {
  await new QueueDepth(test.app.get(Queues), test.app.get(Metrics), MINUTE).observe();
}

async function readGauges(
  test: TestApplication,
): Promise<{ waiting: Record<string, number>; depths: number }> {
  const { oldestWaiting, queueDepth } = test.app.get(Metrics);
  const { values } = await oldestWaiting.get();
  return {
    waiting: Object.fromEntries(values.map(({ labels, value }) => [labels['queue'], value])),
    depths: (await queueDepth.get()).values.length,
  };
}

describe.each(testedBackends())('the age of the oldest waiting job (%s)', (backend) => {
  const test = useApplicationPerCase(backend);

  const add = async (minutesAgo: number, opts: object = {}) =>
    test.app
      .get(Queues)
      .get('account-imports')
      .add('import-account', {}, { timestamp: Date.now() - minutesAgo * MINUTE, ...opts });
  const age = async (): Promise<number> => {
    await observe(test);
    return (await readGauges(test)).waiting['account-imports']! / 60;
  };

  it('is the age of the next job, and 0 if none waits', async () => {
    expect(await age()).toBe(0);
    await add(12);
    await add(7);
    expect(await age()).toBeCloseTo(12, 1);
  });

  it('comes with the pause of the queue', async () => {
    const queue = test.app.get(Queues).get('account-imports');
    const paused = async () => {
      await observe(test);
      const { values } = await test.app.get(Metrics).queuePaused.get();
      return values.flatMap(({ labels, value }) => (value === 1 ? [labels['queue']] : []));
    };
    expect(await paused()).toEqual([]);
    await queue.pause();
    expect(await paused()).toEqual(['account-imports']);
  });

  it('excludes delayed jobs', async () => {
    await add(12, { delay: 60 * MINUTE });
    expect(await age()).toBe(0);
  });

  it('is 0 while the queue is paused, so that no autoscaler adds workers', async () => {
    const queue = test.app.get(Queues).get('account-imports');
    await add(12);
    await queue.pause();
    expect(await age()).toBe(0);
    await queue.resume();
    expect(await age()).toBeCloseTo(12, 1);
  });

  it('counts from the time when the job was due', async () => {
    const job = await add(12, { delay: 60 * MINUTE });
    await job.promote();
    expect(await age()).toBe(0);
  });
});

it('a queue that accepts connections and never answers delays a scrape by the timeout, and leaves the gauges empty', async () => {
  const silent = await listenLocally(createServer());
  const test = await startApplication('postgres', { REDIS_URL: `redis://127.0.0.1:${silent.port}` });
  try {
    const start = performance.now();
    await new QueueDepth(test.app.get(Queues), test.app.get(Metrics), 300).observe();
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(await readGauges(test)).toEqual({ waiting: {}, depths: 0 });
  } finally {
    await silent.stop();
    await test.app.close();
  }
});
