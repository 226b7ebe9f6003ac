import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until `isSo` holds.
 *
 * @throws Error with the text of `instead` after `milliseconds`
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  milliseconds: number,
  instead: () => string | Promise<string>,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ${milliseconds / 1_000} s: ${await instead()}`);
    await sleep(25);
  }
}
