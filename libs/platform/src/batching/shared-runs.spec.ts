import { SharedRuns } from './shared-runs';

/** Reads that end when they are told to. */
class ManualReads {
  readonly ends: ((result: number | Error) => void)[] = [];

  readonly read = async (): Promise<number> =>
    new Promise((resolve, reject) => {
      this.ends.push((result) => {
        if (typeof result === 'number') resolve(result);
        else reject(result);
      });
    });
}

const settle = async () => new Promise((resolve) => setImmediate(resolve));

it('those who ask while a read runs share the next one, which begins after it', async () => {
  const shared = new SharedRuns<number>();
  const { ends, read } = new ManualReads();
  const first = shared.join('a', read);
  const later = [shared.join('a', read), shared.join('a', read), shared.join('a', read)];
  await settle();
  expect(ends).toHaveLength(1);
  ends[0]!(1);
  expect(await first).toBe(1);
  await settle();
  expect(ends).toHaveLength(2);
  const last = shared.join('a', read);
  ends[1]!(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  await settle();
  ends[2]!(3);
  expect(await last).toBe(3);
  expect(ends).toHaveLength(3);
});

it('a read that fails fails those who share it, and not the next one', async () => {
  const shared = new SharedRuns<number>();
  const { ends, read } = new ManualReads();
  const first = shared.join('a', read);
  const next = shared.join('a', read);
  ends[0]!(new Error('It failed.'));
  await expect(first).rejects.toThrow('It failed.');
  await settle();
  ends[1]!(2);
  expect(await next).toBe(2);
});

it('reads of different keys do not wait for each other, and nothing is remembered', async () => {
  const shared = new SharedRuns<number>();
  const { ends, read } = new ManualReads();
  const reads = [shared.join('a', read), shared.join('b', read)];
  expect(ends).toHaveLength(2);
  for (const end of ends) end(1);
  await Promise.all(reads);
  await settle();
  void shared.join('a', read);
  expect(ends).toHaveLength(3);
});
