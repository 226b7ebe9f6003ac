import { AsyncLocalStorage } from 'node:async_hooks';
import { until } from '@portage/testing';
import { Batcher } from './batcher';
import { CohortScheduler } from './cohort-scheduler';

const settled = async () => new Promise((resolve) => setImmediate(resolve));

/** Operations of two batched steps whose batches are recorded. An item `... held` ends when it is released. */
function twoSteps(slowAfterMs = 1_000) {
  const batches: string[][] = [];
  const held = new Map<string, () => void>();
  const step = (name: string) =>
    new Batcher<string, void>(
      async (items) => {
        batches.push(items.map((item) => `${name}${item}`));
        await settled();
        return [];
      },
      { maxSize: 100 },
    );
  const [first, second] = [step('first '), step('second ')];
  const cohorts = new CohortScheduler({ maxSize: 3, slowAfterMs });
  const run = async (item: string) =>
    cohorts.run(async () => {
      await first.add(item);
      await second.add(item);
      if (item.endsWith('left, held')) cohorts.leave(item);
      if (item.endsWith('held')) await new Promise<void>((release) => held.set(item, release));
      if (item.endsWith('fails')) throw new Error(item);
      return item;
    }, item);
  return { batches, held, run };
}

describe('the operations of a cohort', () => {
  it('share the batches of every step, although they arrive one by one', async () => {
    const { batches, run } = twoSteps();
    const all: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd', 'e']) {
      all.push(run(item));
      await settled();
    }
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const cohorts = [['a'], ['b', 'c', 'd'], ['e']];
    const step = (name: string) => (cohort: string[]) => cohort.map((item) => `${name} ${item}`);
    expect(batches).toEqual(cohorts.flatMap((cohort) => [step('first')(cohort), step('second')(cohort)]));
  });

  it('end independently of each other', async () => {
    const { held, run } = twoSteps();
    const ended: string[] = [];
    const outcomes = ['a fails', 'b', 'c held'].map(async (item) =>
      run(item).then(
        () => ended.push(item),
        (error: unknown) => ended.push(`${(error as Error).message}!`),
      ),
    );
    await until(
      () => ended.length === 2,
      1_000,
      () => ended.join(),
    );
    expect(ended.toSorted()).toEqual(['a fails!', 'b']);
    held.get('c held')?.();
    await Promise.all(outcomes);
    expect(ended.toSorted()).toEqual(['a fails!', 'b', 'c held']);
  });

  it('wait for the cohort before, but not for its slow operations', async () => {
    const { batches, held, run } = twoSteps(300);
    const slow = run('a held');
    await settled();
    const later = Promise.all([run('b'), run('c')]);
    await until(
      () => batches.length === 2,
      1_000,
      () => JSON.stringify(batches),
    );
    expect(batches).toEqual([['first a held'], ['second a held']]);
    expect(await later).toEqual(['b', 'c']);
    held.get('a held')?.();
    expect(await slow).toBe('a held');
  });

  it('do not wait for an operation that has left the cohort before', async () => {
    const { held, run } = twoSteps(10_000);
    const left = run('a left, held');
    await settled();
    expect(await Promise.all([run('b'), run('c')])).toEqual(['b', 'c']);
    held.get('a left, held')?.();
    expect(await left).toBe('a left, held');
  });

  it('run in the asynchronous context of their own callers', async () => {
    const request = new AsyncLocalStorage<string>();
    const { run } = twoSteps();
    const cohorts = new CohortScheduler({ maxSize: 3 });
    const readContext = async (name: string) =>
      request.run(name, async () =>
        cohorts.run(async () => {
          await run(name);
          return request.getStore();
        }),
      );
    expect(await Promise.all(['a', 'b', 'c'].map(readContext))).toEqual(['a', 'b', 'c']);
  });
});
