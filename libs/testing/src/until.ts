import { setTimeout as sleep } from 'node:timers/promises';

/** `never`: the condition can no longer become true, such as for an account that has ended otherwise. */
export type Progress = boolean | 'never';

/**
 * Polls until `condition` is true.
 *
 * @param description what was expected or found, for the error
 * @throws Error with the description after `milliseconds`, or at once if the condition is `never`
 */
export async function until(
  condition: () => Progress | Promise<Progress>,
  description: string | (() => string | Promise<string>),
  milliseconds = 120_000,
): Promise<void> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const progress = await condition();
    if (progress === true) return;
    if (progress === 'never' || Date.now() > end) {
      const text = typeof description === 'string' ? description : await description();
      const reason = progress === 'never' ? 'No longer possible' : `Not within ${milliseconds / 1_000} s`;
      throw new Error(`${reason}: ${text}`);
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
