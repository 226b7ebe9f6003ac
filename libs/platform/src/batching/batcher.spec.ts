import { promisify } from 'node:util';
import { DatabaseUnavailable } from '../database/connection/database-unavailable';
import { Batcher, type BatchLimits } from './batcher';

const settled = async () => new Promise((resolve) => setImmediate(resolve));
/** Runs later in the same turn of the event loop. */
const laterInThisTurn = promisify(process.nextTick);

/** A batcher of numbers. It records its runs, which end only by `end`; each result is ten times its item. */
function recordedBatcher(limits: Partial<BatchLimits<number>> = {}) {
  const runs: number[][] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const run = async (items: readonly number[]) => {
    runs.push([...items]);
    await new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
    return items.map((item) => item * 10);
  };
  const batcher = new Batcher<number, number>(run, { maxSize: 100, ...limits });
  const end = async (index: number, error?: Error) => {
    if (error) ends[index]!.reject(error);
    else ends[index]!.resolve();
    await settled();
  };
  const addAtOnce = async (...items: number[]) => Promise.allSettled(items.map((item) => batcher.add(item)));
  /** Adds the first item, and the others once its batch is in flight. */
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

describe('a batcher', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('sends the first item at once and coalesces the items that arrive while it is in flight', async () => {
    const { runs, end, add } = recordedBatcher();
    const added = add(1, 2, 3, 4);
    await settled();
    expect(runs).toEqual([[1]]);
    await end(0);
    expect(runs).toEqual([[1], [2, 3, 4]]);
    await end(1);
    expect(await results(added)).toEqual([10, 20, 30, 40]);
  });

  it('coalesces the items of one turn of the event loop', async () => {
    const { runs, end, addAtOnce } = recordedBatcher();
    const added = addAtOnce(1);
    await laterInThisTurn();
    const addedLater = addAtOnce(2);
    await settled();
    expect(runs).toEqual([[1, 2]]);
    await end(0);
    expect([await results(added), await results(addedLater)]).toEqual([[10], [20]]);
  });

  it('coalesces concurrent items up to maxSize', async () => {
    const { runs, end, addAtOnce } = recordedBatcher({ maxSize: 3 });
    const added = addAtOnce(1, 2, 3, 4);
    await settled();
    expect(runs).toEqual([[1, 2, 3]]);
    await end(0);
    await end(1);
    expect(runs).toEqual([[1, 2, 3], [4]]);
    expect(await results(added)).toEqual([10, 20, 30, 40]);
  });

  it('rejects exactly the items of a batch that fails because the database is unavailable', async () => {
    const { end, add } = recordedBatcher();
    const added = add(1, 2, 3);
    await settled();
    await end(0);
    await end(1, new DatabaseUnavailable('away'));
    expect(await results(added)).toEqual([10, 'away', 'away']);
    const later = add(4);
    await settled();
    await end(2);
    expect(await results(later)).toEqual([40]);
  });

  it('sends no batch heavier than maxWeight, except a single heavier item', async () => {
    const { runs, end, add } = recordedBatcher({ maxWeight: 5, weightOf: (item) => item });
    const added = add(1, 2, 3, 9, 1);
    await settled();
    for (let index = 0; index < 4; index += 1) await end(index);
    expect(runs).toEqual([[1], [2, 3], [9], [1]]);
    expect(await results(added)).toEqual([10, 20, 30, 90, 10]);
  });

  it('never sends two items with one key in one batch; later items overtake the waiting one', async () => {
    const { runs, end, add } = recordedBatcher({ keyOf: (item) => String(item % 10) });
    const added = add(1, 2, 12, 3, 22);
    await settled();
    for (let index = 0; index < 4; index += 1) await end(index);
    expect(runs).toEqual([[1], [2, 3], [12], [22]]);
    expect(await results(added)).toEqual([10, 20, 120, 30, 220]);
  });

  it('waits for the batch in flight unless it is slow, up to maxConcurrent', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const { runs, end, add } = recordedBatcher({ maxConcurrent: 2, slowAfterMs: 20 });
    const added = add(1, 2, 3);
    await settled();
    expect(runs).toEqual([[1]]);
    jest.advanceTimersByTime(20);
    expect(runs).toEqual([[1], [2, 3]]);
    const third = add(4);
    await settled();
    jest.advanceTimersByTime(20);
    // Both are slow by now, and maxConcurrent is reached.
    expect(runs).toEqual([[1], [2, 3]]);
    await end(1);
    expect(runs).toEqual([[1], [2, 3], [4]]);
    await end(0);
    // No slow batch is left: the next one waits again.
    const fourth = add(5);
    await settled();
    expect(runs).toEqual([[1], [2, 3], [4]]);
    await end(2);
    await end(3);
    expect(await results(added)).toEqual([10, 20, 30]);
    expect([await results(third), await results(fourth)]).toEqual([[40], [50]]);
  });

  it('sends a full batch without waiting, up to maxConcurrent', async () => {
    const { runs, end, add, addAtOnce } = recordedBatcher({
      maxSize: 3,
      maxConcurrent: 2,
      slowAfterMs: 10_000,
    });
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
