import { RepeatedWork } from './repeated-work';

it('work is repeated until it is stopped, and the last run ends before the stop does', async () => {
  const work = new RepeatedWork();
  let runs = 0;
  let ended = 0;
  await new Promise<void>((resolve) => {
    work.start(async (signal) => {
      runs += 1;
      if (runs === 3) resolve();
      await new Promise(setImmediate);
      expect(signal.aborted).toBe(runs === 3);
      ended += 1;
      return 0;
    });
  }).then(async () => work.stop());
  expect([runs, ended]).toEqual([3, 3]);
});

it('a pause ends with the stop', async () => {
  const work = new RepeatedWork();
  await new Promise<void>((resolve) => {
    work.start(async () => {
      resolve();
      return Promise.resolve(3_600_000);
    });
  });
  await new Promise(setImmediate);
  await work.stop();
});
