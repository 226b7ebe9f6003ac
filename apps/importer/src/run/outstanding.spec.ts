import { Outstanding, type OutstandingAccount } from './outstanding';

const account = (line: number): OutstandingAccount => ({
  line,
  supplier: 'S',
  externalAccountNumber: String(line),
  externalIdentifier: String(line),
});

/** Creates `count` outstanding accounts and a function that polls once. */
function createOutstanding(count: number, random: () => number = () => 0) {
  const outstanding = new Outstanding(random);
  for (let line = 1; line <= count; line++) outstanding.add(account(line));
  let polled: number[] = [];
  const round = async (width: number, now: number, hasEnded: (line: number) => boolean) => {
    polled = [];
    const counts = await outstanding.pollNext(width, now, (accounts) => {
      polled.push(...accounts.map(({ line }) => line));
      return Promise.resolve(new Set(accounts.filter(({ line }) => hasEnded(line))));
    });
    return { ...counts, polled };
  };
  return { outstanding, round };
}

it('polls the oldest accounts until they end', async () => {
  const { round } = createOutstanding(100);
  expect((await round(4, 0, () => false)).polled.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect((await round(4, 1, (line) => line <= 2)).polled.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect((await round(4, 2, () => false)).polled.slice(0, 4)).toEqual([3, 4, 5, 6]);
});

it('polls each account about once if processes end in order, however many there are', async () => {
  const { outstanding, round } = createOutstanding(1000, Math.random);
  let questions = 0;
  let rounds = 0;
  while (outstanding.size > 0) {
    rounds += 1;
    const processed = rounds * 10;
    questions += (await round(10, rounds * 100, (line) => line <= processed)).polled.length;
  }
  expect(questions).toBeLessThan(1200);
});

it('polls an overtaken account at growing intervals', async () => {
  const { outstanding, round } = createOutstanding(3);
  await round(3, 0, (line) => line > 1);
  expect(outstanding.size).toBe(1);
  expect((await round(3, 499, () => false)).polled).toEqual([]);
  expect((await round(3, 500, () => false)).polled).toEqual([1]);
  expect((await round(3, 1499, () => false)).polled).toEqual([]);
  expect((await round(3, 1500, () => true)).polled).toEqual([1]);
  expect(outstanding.size).toBe(0);
});

it('continues with later accounts if all accounts at the front are stuck', async () => {
  const { outstanding, round } = createOutstanding(200, Math.random);
  for (let now = 0; now < 100_000 && outstanding.size > 5; now += 1000)
    await round(5, now, (line) => line > 5);
  expect([...outstanding].map(({ line }) => line).sort()).toEqual([1, 2, 3, 4, 5]);
});

it('counts an account that a probe found to have ended once', async () => {
  const { outstanding, round } = createOutstanding(5, () => 0.99);
  await round(2, 0, () => false);
  expect(await round(2, 1, (line) => line === 5)).toMatchObject({ polled: [1, 2, 5], ended: 1 });
  expect(outstanding.size).toBe(4);
  expect([...outstanding].map(({ line }) => line)).toEqual([1, 2, 3, 4]);
});
