import { backOff, longestPauses, TryAgainAfter } from './back-off';
import { QUEUE_NAMES } from './job-contract';
import { queueSettings } from './queue-settings';

const SETTINGS = { backoffMilliseconds: 1_000, backoffJitter: 0.5 };
const MANY = Array.from({ length: 200 });

function pauses(attemptsMade: number, error = new Error('code')): number[] {
  return MANY.map(() => backOff(SETTINGS)(attemptsMade, '', error) as number);
}

describe('the pause before a job is tried again', () => {
  it.each([
    [1, 500, 1_000],
    [2, 1_000, 2_000],
    [3, 2_000, 4_000],
  ])('after attempt %i is left to chance between %i and %i ms', (attemptsMade, least, most) => {
    const seen = pauses(attemptsMade);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...seen)).toBeLessThanOrEqual(most);
    expect(new Set(seen).size).toBeGreaterThan(10);
  });

  it('is no shorter than somebody has asked for', () => {
    expect(new Set(pauses(1, new TryAgainAfter('code', 7_000)))).toEqual(new Set([7_000]));
    expect(Math.min(...pauses(2, new TryAgainAfter('code', 0)))).toBeGreaterThanOrEqual(1_000);
  });

  it('is never the -1 that would end the job', () => {
    expect(Math.min(...pauses(1, new TryAgainAfter('code', -1)))).toBeGreaterThanOrEqual(500);
  });

  it.each(QUEUE_NAMES)('of %s adds up to what it is reckoned with at most', (queue) => {
    const settings = queueSettings[queue];
    const worst = backOff({ ...settings, backoffJitter: 0 });
    let sum = 0;
    for (let made = 1; made < settings.attempts; made += 1) sum += worst(made) as number;
    expect(longestPauses(settings)).toBe(sum);
  });
});
