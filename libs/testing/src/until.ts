import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is yes. Too late is an error that says what there was instead. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  milliseconds: number,
  instead: () => string | Promise<string>,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ${milliseconds / 1_000} s: ${await instead()}`);
    await sleep(20);
  }
}
