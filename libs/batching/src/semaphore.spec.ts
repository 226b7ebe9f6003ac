import { Semaphore } from './semaphore';

/** An operation that ends when it is told to. */
function operation() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    run: async () => ended,
    end: () => {
      end();
    },
  };
}

const turn = async () => new Promise((resolve) => setImmediate(resolve));

it('a semaphore runs as many operations as it allows, and the others in the order of arrival', async () => {
  const semaphore = new Semaphore(2);
  const operations = Array.from({ length: 4 }, operation);
  const started: number[] = [];
  const results = operations.map(async ({ run }, index) =>
    semaphore.run(async () => {
      started.push(index);
      return run();
    }),
  );
  await turn();
  expect(started).toEqual([0, 1]);
  operations[1]?.end();
  await turn();
  expect(started).toEqual([0, 1, 2]);
  for (const { end } of operations) end();
  await Promise.all(results);
  expect(started).toEqual([0, 1, 2, 3]);
});

it('an operation that fails frees its place', async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await semaphore.run(async () => Promise.resolve('next'))).toBe('next');
});

it('a waiting operation starts before those of a higher rank', async () => {
  const semaphore = new Semaphore(1);
  const operations = Array.from({ length: 5 }, operation);
  const ranks = [0, 2, 2, 0, 1];
  const started: number[] = [];
  const results = operations.map(async ({ run }, index) =>
    semaphore.run(
      async () => {
        started.push(index);
        return run();
      },
      { rank: ranks[index]! },
    ),
  );
  for (const { end } of operations) end();
  await Promise.all(results);
  expect(started).toEqual([0, 3, 4, 1, 2]);
});

it('operations of several owners start in turns, and not in the order of their arrival', async () => {
  const semaphore = new Semaphore(2);
  const operations = Array.from({ length: 9 }, operation);
  const owners = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'];
  const started: string[] = [];
  const results = operations.map(async ({ run }, index) =>
    semaphore.run(
      async () => {
        started.push(owners[index]!);
        return run();
      },
      { owner: owners[index] },
    ),
  );
  for (const { end } of operations) {
    end();
    await turn();
  }
  await Promise.all(results);
  expect(started.slice(0, 2)).toEqual(['a', 'a']);
  expect(started.slice(2, 5).toSorted()).toEqual(['a', 'b', 'c']);
  expect(started.toSorted()).toEqual(owners.toSorted());
});

it('a lower rank starts first, and owners do not matter', async () => {
  const semaphore = new Semaphore(1);
  const operations = Array.from({ length: 4 }, operation);
  const turns = [
    { rank: 1, owner: 'a' },
    { rank: 1, owner: 'b' },
    { rank: 0, owner: 'a' },
    { rank: 0, owner: 'a' },
  ];
  const started: number[] = [];
  const results = operations.map(async ({ run }, index) =>
    semaphore.run(async () => {
      started.push(index);
      return run();
    }, turns[index]),
  );
  for (const { end } of operations) end();
  await Promise.all(results);
  expect(started).toEqual([0, 2, 3, 1]);
});
