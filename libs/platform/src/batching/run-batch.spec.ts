import { DatabaseUnavailable } from '../database/connection/database-unavailable';
import { runBatch } from './run-batch';

/** Performs batches of numbers. The given numbers fail, alone or with others. */
function performing(failures: Readonly<Record<number, Error>>) {
  const batches: number[][] = [];
  const run = async (items: readonly number[]) => {
    batches.push([...items]);
    const failing = items.find((item) => item in failures);
    if (failing !== undefined) throw failures[failing]!;
    return Promise.resolve(items.map((item) => item * 10));
  };
  return { run, batches };
}

const fulfilled = (value: number) => ({ status: 'fulfilled', value });
const rejected = (reason: Error) => ({ status: 'rejected', reason });

describe('running a batch', () => {
  it('runs its items together and returns the result of each', async () => {
    const { run, batches } = performing({});
    expect(await runBatch([1, 2, 3], run)).toEqual([fulfilled(10), fulfilled(20), fulfilled(30)]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('repeats the items one by one if one of them fails, which loses only this one', async () => {
    const refused = new Error('refused');
    const { run, batches } = performing({ 2: refused });
    expect(await runBatch([1, 2, 3], run)).toEqual([fulfilled(10), rejected(refused), fulfilled(30)]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('does not repeat a single item', async () => {
    const refused = new Error('refused');
    const { run, batches } = performing({ 2: refused });
    expect(await runBatch([2], run)).toEqual([rejected(refused)]);
    expect(batches).toEqual([[2]]);
  });

  it('repeats nothing if the database is unavailable', async () => {
    const unavailable = new DatabaseUnavailable('unreachable');
    const { run, batches } = performing({ 2: unavailable });
    expect(await runBatch([1, 2, 3], run)).toEqual([1, 2, 3].map(() => rejected(unavailable)));
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('stops with the item at which the database becomes unavailable, and retains the results before it', async () => {
    const unavailable = new DatabaseUnavailable('unreachable');
    let calls = 0;
    const run = async (items: readonly number[]) => {
      calls += 1;
      if (calls === 1) throw new Error('refused');
      if (calls === 3) throw unavailable;
      return Promise.resolve(items);
    };
    expect(await runBatch([1, 2, 3, 4], run)).toEqual([
      fulfilled(1),
      rejected(unavailable),
      rejected(unavailable),
      rejected(unavailable),
    ]);
    expect(calls).toBe(3);
  });

  it('runs nothing for an empty batch', async () => {
    const { run, batches } = performing({});
    expect(await runBatch([], run)).toEqual([]);
    expect(batches).toEqual([]);
  });
});
