import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from './in-parallel';

it('works on as many at a time as allowed, and takes an item only when there is room', async () => {
  let taken = 0;
  let underWay = 0;
  let most = 0;
  function* items(): Generator<number> {
    for (; taken < 20; taken++) yield taken;
  }
  await inParallel(items(), 3, async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    expect(taken).toBeLessThan(20);
    await sleep(1);
    underWay -= 1;
  });
  expect([most, taken]).toEqual([3, 20]);
});

it('finishes what is under way when one fails, begins nothing more, and closes the source', async () => {
  const finished: number[] = [];
  let closed = false;
  async function* items(): AsyncGenerator<number> {
    try {
      for (let item = 0; item < 100; item++) yield await Promise.resolve(item);
    } finally {
      closed = true;
    }
  }
  const work = inParallel(items(), 4, async (item) => {
    await sleep(5);
    if (item === 1) throw new Error('item 1');
    finished.push(item);
  });
  await expect(work).rejects.toThrow('item 1');
  expect(finished.length).toBeLessThan(8);
  expect(finished).toEqual(expect.arrayContaining([0, 2, 3]));
  expect(closed).toBe(true);
});

it('stops taking items when asked to', async () => {
  const stop = new AbortController();
  const done: number[] = [];
  await inParallel(
    Array.from({ length: 50 }, (_, item) => item),
    2,
    async (item) => {
      await sleep(1);
      done.push(item);
      if (item === 5) stop.abort();
    },
    stop.signal,
  );
  expect(done.length).toBeLessThan(9);
});
