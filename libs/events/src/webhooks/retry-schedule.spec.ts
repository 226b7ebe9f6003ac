import { MAX_FAILING_MS, nextAttemptAt } from './retry-schedule';

const HOUR_MS = 3_600_000;
const START = new Date('2026-11-22T12:00:00Z');

/** The times of all attempts after the first one, in hours. */
function scheduleWith(random: number): number[] {
  const hours: number[] = [];
  let now = START;
  for (let attempts = 1; attempts < 100; attempts += 1) {
    const next = nextAttemptAt(attempts, START, now, random);
    if (!next) return hours;
    expect(next.getTime()).toBeGreaterThan(now.getTime());
    hours.push((next.getTime() - START.getTime()) / HOUR_MS);
    now = next;
  }
  throw new Error('The schedule does not end.');
}

describe('a failed delivery', () => {
  it('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and at the end of the 3 days', () => {
    const rounded = scheduleWith(0.5).map((hours) => Math.round(hours * 100) / 100);
    expect(rounded).toEqual([0, 0.08, 0.58, 2.58, 7.58, 17.58, 31.58, 51.58, 72]);
  });

  it.each([0, 0.25, 0.75, 1])('is tried at least eight times in 3 days, with the jitter %d', (random) => {
    const hours = scheduleWith(random);
    expect(hours.length).toBeGreaterThanOrEqual(8);
    expect(hours.at(-1)).toBe(MAX_FAILING_MS / HOUR_MS);
    expect(hours[0]! * 3_600).toBeCloseTo(4.5 + random, 3);
  });

  it('is given up after 3 days, also if the dispatcher did not run meanwhile', () => {
    expect(nextAttemptAt(1, START, new Date(START.getTime() + MAX_FAILING_MS), 0.5)).toBeUndefined();
  });
});
