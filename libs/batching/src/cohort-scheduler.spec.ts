import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from './batcher';
import { CohortScheduler } from './cohort-scheduler';

const settled = async () => new Promise((resolve) => setImmediate(resolve));

/** Work of two steps, each done in batches whose members are noted; an item ends when it is let go. */
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
  const groups = new CohortScheduler({ maxSize: 3, slowAfterMs });
  const run = async (item: string) =>
    groups.run(async () => {
      await first.add(item);
      await second.add(item);
      if (item.endsWith('held')) await new Promise<void>((letGo) => held.set(item, letGo));
      if (item.endsWith('fails')) throw new Error(item);
      return item;
    });
  return { batches, held, run };
}

describe('groups', () => {
  it('come together to every step, where items that arrive one by one would not', async () => {
    const { batches, run } = twoSteps();
    const all: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd', 'e']) {
      all.push(run(item));
      await settled();
    }
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const groups = [['a'], ['b', 'c', 'd'], ['e']];
    const step = (name: string) => (group: string[]) => group.map((item) => `${name} ${item}`);
    expect(batches).toEqual(groups.flatMap((group) => [step('first')(group), step('second')(group)]));
  });

  it('end one by one, each as its own work ends', async () => {
    const { held, run } = twoSteps();
    const ended: string[] = [];
    const outcomes = ['a fails', 'b', 'c held'].map(async (item) =>
      run(item).then(
        () => ended.push(item),
        (error: unknown) => ended.push(`${(error as Error).message}!`),
      ),
    );
    await sleep(20);
    expect(ended.toSorted()).toEqual(['a fails!', 'b']);
    held.get('c held')?.();
    await Promise.all(outcomes);
    expect(ended.toSorted()).toEqual(['a fails!', 'b', 'c held']);
  });

  it('wait for the group before, but not for slow members of it', async () => {
    const { batches, held, run } = twoSteps(40);
    const slow = run('a held');
    await settled();
    const later = Promise.all([run('b'), run('c')]);
    await sleep(10);
    expect(batches).toEqual([['first a held'], ['second a held']]);
    expect(await later).toEqual(['b', 'c']);
    held.get('a held')?.();
    expect(await slow).toBe('a held');
  });
});
