import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until `condition` is true.
 *
 * @throws Error with the text of `describeState` after `milliseconds`
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
  describeState: () => string | Promise<string>,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not within ${milliseconds / 1_000} s: ${await describeState()}`);
    await sleep(25);
  }
}

/** Polls for a time that `condition` stays true: for what must not happen, and leaves no other trace. */
export async function staysTrue(condition: () => boolean, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    expect(condition()).toBe(true);
    await sleep(25);
  }
}
