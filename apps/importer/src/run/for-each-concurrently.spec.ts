import { setImmediate as turn } from 'node:timers/promises';
import { forEachConcurrently } from './for-each-concurrently';

it('keeps to the limit and reads an item only when it can start', async () => {
  let taken = 0;
  let running = 0;
  let maxConcurrent = 0;
  function* items(): Generator<number> {
    for (; taken < 20; taken++) yield taken;
  }
  await forEachConcurrently(items(), 3, async () => {
    running += 1;
    maxConcurrent = Math.max(maxConcurrent, running);
    expect(taken).toBeLessThan(20);
    await turn();
    running -= 1;
  });
  expect([maxConcurrent, taken]).toEqual([3, 20]);
});

it('finishes the calls in progress after a failure, starts no more and closes the source', async () => {
  const finished: number[] = [];
  let closed = false;
  async function* items(): AsyncGenerator<number> {
    try {
      for (let item = 0; item < 100; item++) yield await Promise.resolve(item);
    } finally {
      closed = true;
    }
  }
  const work = forEachConcurrently(items(), 4, async (item) => {
    await turn();
    if (item === 1) throw new Error('item 1');
    finished.push(item);
  });
  await expect(work).rejects.toThrow('item 1');
  expect(finished.length).toBeLessThan(8);
  expect(finished).toEqual(expect.arrayContaining([0, 2, 3]));
  expect(closed).toBe(true);
});

it('stops reading items when it is aborted', async () => {
  const stop = new AbortController();
  const done: number[] = [];
  await forEachConcurrently(
    Array.from({ length: 50 }, (_, item) => item),
    2,
    async (item) => {
      await turn();
      done.push(item);
      if (item === 5) stop.abort();
    },
    stop.signal,
  );
  expect(done.length).toBeLessThan(9);
});
