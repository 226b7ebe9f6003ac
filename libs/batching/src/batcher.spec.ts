import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Batcher, type BatchLimits } from './batcher';

const settled = async () => new Promise((resolve) => setImmediate(resolve));
/** In the same turn of the event loop. */
const afterOtherWork = promisify(process.nextTick);

/** Batches of numbers whose runs are noted, and end only when told to; each result is ten times its item. */
function batches(limits: Partial<BatchLimits<number>> = {}) {
  const runs: number[][] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const run = async (items: readonly number[]) => {
    runs.push([...items]);
    await new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
    return items.map((item) => item * 10);
  };
  const together = new Batcher<number, number>(run, { maxSize: 100, ...limits });
  const end = async (index: number, error?: Error) => {
    if (error) ends[index]!.reject(error);
    else ends[index]!.resolve();
    await settled();
  };
  const addAtOnce = async (...items: number[]) => Promise.allSettled(items.map((item) => together.add(item)));
  /** The first, and the others once it is under way. */
  const add = async (first: number, ...others: number[]) => {
    const added = addAtOnce(first);
    await settled();
    const addedLater = addAtOnce(...others);
    return [...(await added), ...(await addedLater)];
  };
  return { runs, end, add, addAtOnce };
}

const results = async (added: Promise<PromiseSettledResult<number>[]>) =>
  (await added).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message));

describe('batches', () => {
  it('do one item at once, and together what arrives meanwhile, each with its own result', async () => {
    const { runs, end, add } = batches();
    const added = add(1, 2, 3, 4);
    await settled();
    expect(runs).toEqual([[1]]);
    await end(0);
    expect(runs).toEqual([[1], [2, 3, 4]]);
    await end(1);
    expect(await results(added)).toEqual([10, 20, 30, 40]);
  });

  it('do together what arrives in one turn of the event loop', async () => {
    const { runs, end, addAtOnce } = batches();
    const added = addAtOnce(1);
    await afterOtherWork();
    const addedLater = addAtOnce(2);
    await settled();
    expect(runs).toEqual([[1, 2]]);
    await end(0);
    expect([await results(added), await results(addedLater)]).toEqual([[10], [20]]);
  });

  it('do together what is added at once, up to what one may hold', async () => {
    const { runs, end, addAtOnce } = batches({ maxSize: 3 });
    const added = addAtOnce(1, 2, 3, 4);
    await settled();
    expect(runs).toEqual([[1, 2, 3]]);
    await end(0);
    await end(1);
    expect(runs).toEqual([[1, 2, 3], [4]]);
    expect(await results(added)).toEqual([10, 20, 30, 40]);
  });

  it('that fail fail those that were in them, and no others', async () => {
    const { end, add } = batches();
    const added = add(1, 2, 3);
    await settled();
    await end(0);
    await end(1, new Error('away'));
    expect(await results(added)).toEqual([10, 'away', 'away']);
    const later = add(4);
    await settled();
    await end(2);
    expect(await results(later)).toEqual([40]);
  });

  it('fall apart where one item may be to blame, so that only that one fails', async () => {
    const { runs, end, add } = batches({
      retryIndividually: (error) => (error as Error).message === 'poison',
    });
    const added = add(1, 2, 3, 4);
    await settled();
    await end(0);
    await end(1, new Error('poison'));
    await end(2);
    await end(3, new Error('poison'));
    await end(4);
    expect(runs).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
    expect(await results(added)).toEqual([10, 20, 'poison', 40]);
  });

  it('hold no more items than they may', async () => {
    const { runs, end, add } = batches({ maxSize: 2 });
    const added = add(1, 2, 3, 4, 5);
    await settled();
    for (let index = 0; index < 3; index += 1) await end(index);
    expect(runs).toEqual([[1], [2, 3], [4, 5]]);
    expect(await results(added)).toEqual([10, 20, 30, 40, 50]);
  });

  it('are no heavier than they may be, unless one item alone is', async () => {
    const { runs, end, add } = batches({ maxWeight: 5, weightOf: (item) => item });
    const added = add(1, 2, 3, 9, 1);
    await settled();
    for (let index = 0; index < 4; index += 1) await end(index);
    expect(runs).toEqual([[1], [2, 3], [9], [1]]);
    expect(await results(added)).toEqual([10, 20, 30, 90, 10]);
  });

  it('never hold two items of one key; the later waits, and those behind it need not', async () => {
    const { runs, end, add } = batches({ keyOf: (item) => String(item % 10) });
    const added = add(1, 2, 12, 3, 22);
    await settled();
    for (let index = 0; index < 4; index += 1) await end(index);
    expect(runs).toEqual([[1], [2, 3], [12], [22]]);
    expect(await results(added)).toEqual([10, 20, 120, 30, 220]);
  });

  it('wait for the one before, but not for one that is slow, as many as may be at once', async () => {
    const { runs, end, add } = batches({ maxConcurrent: 2, slowAfterMs: 20 });
    const added = add(1, 2, 3);
    await settled();
    expect(runs).toEqual([[1]]);
    await sleep(40);
    expect(runs).toEqual([[1], [2, 3]]);
    const third = add(4);
    await sleep(40);
    // Both are slow by now, and more than two may not be on their way.
    expect(runs).toEqual([[1], [2, 3]]);
    await end(1);
    expect(runs).toEqual([[1], [2, 3], [4]]);
    await end(0);
    // Nothing is left of what was slow: the next waits again.
    const fourth = add(5);
    await settled();
    expect(runs).toEqual([[1], [2, 3], [4]]);
    await end(2);
    await end(3);
    expect(await results(added)).toEqual([10, 20, 30]);
    expect([await results(third), await results(fourth)]).toEqual([[40], [50]]);
  });

  it('do not wait for the one before once they are full, as many as may be at once', async () => {
    const { runs, end, add, addAtOnce } = batches({ maxSize: 3, maxConcurrent: 2, slowAfterMs: 10_000 });
    const added = add(1, 2, 3);
    await settled();
    expect(runs).toEqual([[1]]);
    const full = addAtOnce(4, 5, 6, 7);
    await settled();
    expect(runs).toEqual([[1], [2, 3, 4]]);
    await end(1);
    expect(runs).toEqual([[1], [2, 3, 4], [5, 6, 7]]);
    const last = addAtOnce(8, 9);
    await end(2);
    expect(runs).toHaveLength(3);
    await end(0);
    expect(runs).toEqual([[1], [2, 3, 4], [5, 6, 7], [8, 9]]);
    await end(3);
    expect(await results(last)).toEqual([80, 90]);
    expect([await results(added), await results(full)]).toEqual([
      [10, 20, 30],
      [40, 50, 60, 70],
    ]);
  });
});
