import { Throttled } from './throttled';
import { Turns } from './turns';

const turns = () => new Turns('Too many attempts.');

it('attempts of one subject run one after the other, in their order', async () => {
  const running = turns();
  const log: string[] = [];
  const attempt = (name: string) => async () => {
    log.push(`${name} starts`);
    await Promise.resolve();
    log.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map(async (name) => running.run('subject', attempt(name))));
  expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

it('an attempt waits for one that has waited itself', async () => {
  const running = turns();
  const settled = async () => new Promise((resolve) => setImmediate(resolve));
  const ends: (() => void)[] = [];
  const attempt = async () =>
    running.run('subject', async () => new Promise<void>((resolve) => ends.push(resolve)));
  const attempts = [attempt(), attempt()];
  await settled();
  ends[0]!();
  await settled();
  attempts.push(attempt());
  await settled();
  expect(ends).toHaveLength(2);
  ends[1]!();
  await settled();
  ends[2]!();
  await Promise.all(attempts);
});

it('attempts of other subjects do not wait', async () => {
  const running = turns();
  let release = (): void => undefined;
  const blocked = running.run('slow', async () => new Promise<void>((resolve) => (release = resolve)));
  expect(await running.run('fast', async () => Promise.resolve('done'))).toBe('done');
  release();
  await blocked;
});

it('a failed attempt fails alone', async () => {
  const running = turns();
  const failed = running.run('subject', async () => Promise.reject(new Error('wrong')));
  const next = running.run('subject', async () => Promise.resolve('right'));
  await expect(failed).rejects.toThrow('wrong');
  expect(await next).toBe('right');
});

it('attempts beyond the limit are throttled, and none is once the others have ended', async () => {
  const running = turns();
  let release = (): void => undefined;
  const first = running.run('subject', async () => new Promise<void>((resolve) => (release = resolve)));
  const waiting = Array.from({ length: 200 }, async () =>
    running.run('subject', async () => Promise.resolve()),
  );
  await expect(running.run('subject', async () => Promise.resolve())).rejects.toThrow(Throttled);
  release();
  await Promise.all([first, ...waiting]);
  await running.run('subject', async () => Promise.resolve());
});
