import { backoffStrategy, maxTotalBackoffMs, RetryAfterError, RetryWithinError } from './backoff';
import { QUEUE_NAMES, queueSettings } from './job-contract';

const SETTINGS = { initialBackoffMs: 1_000, backoffJitter: 0.5 };
const SAMPLES = Array.from({ length: 200 });

function pauses(attemptsMade: number, error = new Error('code')): number[] {
  return SAMPLES.map(() => backoffStrategy(SETTINGS)(attemptsMade, '', error) as number);
}

describe('the pause before a job is retried', () => {
  it.each([
    [1, 500, 1_000],
    [2, 1_000, 2_000],
    [3, 2_000, 4_000],
  ])('is random after attempt %i: between %i and %i ms', (attemptsMade, min, max) => {
    const seen = pauses(attemptsMade);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(min);
    expect(Math.max(...seen)).toBeLessThanOrEqual(max);
    expect(new Set(seen).size).toBeGreaterThan(10);
  });

  it('is not shorter than RetryAfterError says', () => {
    expect(new Set(pauses(1, new RetryAfterError('code', 7_000)))).toEqual(new Set([7_000]));
    expect(Math.min(...pauses(2, new RetryAfterError('code', 0)))).toBeGreaterThanOrEqual(1_000);
  });

  it('is not longer than RetryWithinError says', () => {
    expect(Math.max(...pauses(3, new RetryWithinError('code', 100)))).toBeLessThanOrEqual(100);
    expect(Math.min(...pauses(3, new RetryWithinError('code', 100)))).toBeGreaterThanOrEqual(50);
    expect(Math.max(...pauses(1, new RetryWithinError('code', 7_000)))).toBeLessThanOrEqual(1_000);
  });

  it('is never the -1 with which BullMQ ends a job', () => {
    expect(Math.min(...pauses(1, new RetryAfterError('code', -1)))).toBeGreaterThanOrEqual(500);
  });

  it.each(QUEUE_NAMES)('adds up over all attempts of %s to at most longestPauses', (queue) => {
    const settings = queueSettings[queue];
    const worst = backoffStrategy({ ...settings, backoffJitter: 0 });
    let sum = 0;
    for (let made = 1; made < settings.attempts; made += 1) sum += worst(made) as number;
    expect(maxTotalBackoffMs(settings)).toBe(sum);
  });
});
