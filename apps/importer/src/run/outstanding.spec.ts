import { Outstanding, type OutstandingAccount } from './outstanding';

const account = (line: number): OutstandingAccount => ({
  line,
  supplier: 'S',
  externalAccountNumber: String(line),
  externalIdentifier: String(line),
});

/** So many outstanding accounts, and what has been asked so far. */
function outstandingOf(count: number, random: () => number = () => 0) {
  const outstanding = new Outstanding(random);
  for (let line = 1; line <= count; line++) outstanding.add(account(line));
  let asked: number[] = [];
  const round = async (width: number, now: number, hasEnded: (line: number) => boolean) => {
    asked = [];
    const counts = await outstanding.askNext(width, now, (accounts) => {
      asked.push(...accounts.map(({ line }) => line));
      return Promise.resolve(new Set(accounts.filter(({ line }) => hasEnded(line))));
    });
    return { ...counts, asked };
  };
  return { outstanding, round };
}

it('asks after the oldest first, and stays with them until they end', async () => {
  const { round } = outstandingOf(100);
  expect((await round(4, 0, () => false)).asked.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect((await round(4, 1, (line) => line <= 2)).asked.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect((await round(4, 2, () => false)).asked.slice(0, 4)).toEqual([3, 4, 5, 6]);
});

it('asks little more than once each when accounts end in order, however long the line', async () => {
  const { outstanding, round } = outstandingOf(1000, Math.random);
  let questions = 0;
  let rounds = 0;
  while (outstanding.size > 0) {
    rounds += 1;
    const processed = rounds * 10;
    questions += (await round(10, rounds * 100, (line) => line <= processed)).asked.length;
  }
  expect(questions).toBeLessThan(1200);
});

it('leaves an overtaken account alone for ever longer, and comes back to it', async () => {
  const { outstanding, round } = outstandingOf(3);
  await round(3, 0, (line) => line > 1);
  expect(outstanding.size).toBe(1);
  expect((await round(3, 499, () => false)).asked).toEqual([]);
  expect((await round(3, 500, () => false)).asked).toEqual([1]);
  expect((await round(3, 1499, () => false)).asked).toEqual([]);
  expect((await round(3, 1500, () => true)).asked).toEqual([1]);
  expect(outstanding.size).toBe(0);
});

it('is not held up when all at the front are stuck and the rest moves on', async () => {
  const { outstanding, round } = outstandingOf(200, Math.random);
  for (let now = 0; now < 100_000 && outstanding.size > 5; now += 1000)
    await round(5, now, (line) => line > 5);
  expect([...outstanding].map(({ line }) => line).sort()).toEqual([1, 2, 3, 4, 5]);
});

it('counts an account that the scout found to have ended once', async () => {
  const { outstanding, round } = outstandingOf(5, () => 0.99);
  await round(2, 0, () => false);
  expect(await round(2, 1, (line) => line === 5)).toMatchObject({ asked: [1, 2, 5], ended: 1 });
  expect(outstanding.size).toBe(4);
  expect([...outstanding].map(({ line }) => line)).toEqual([1, 2, 3, 4]);
});
