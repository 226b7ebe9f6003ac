import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until `condition` is true.
 *
 * @param description what was expected or found, for the error
 * @throws Error with the description after `milliseconds`
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  description: string | (() => string | Promise<string>),
  milliseconds = 30_000,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) {
      const text = typeof description === 'string' ? description : await description();
      throw new Error(`Not within ${milliseconds / 1_000} s: ${text}`);
    }
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
