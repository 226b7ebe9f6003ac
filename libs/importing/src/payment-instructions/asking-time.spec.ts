import { loadConfig } from '@portage/config';
import { longestPauses, queueSettings } from '@portage/queues';
import { askingTime, fits } from './asking-time';

const SETTINGS = queueSettings['payment-instructions'];
const { OUTCOME_WAIT_MS, VENDOR_TIMEOUT_MS } = loadConfig('cli', {
  DATABASE_URL: 'postgres://127.0.0.1/portage',
});

describe('the time that a vendor has for one answer', () => {
  it.each([7_000, 10_000, OUTCOME_WAIT_MS, 60_000])(
    'lets all attempts and pauses end before a client that waits %i ms gives up',
    (wait) => {
      const all = askingTime(wait, SETTINGS) * SETTINGS.attempts + longestPauses(SETTINGS);
      expect(all).toBeLessThan(wait);
    },
  );

  it('is as long as the vendor may take, with the waits that are set by default', () => {
    expect(SETTINGS.attempts).toBe(3);
    expect(askingTime(OUTCOME_WAIT_MS, SETTINGS)).toBeGreaterThanOrEqual(VENDOR_TIMEOUT_MS);
  });

  it('is a fair chance however short clients wait', () => {
    expect(askingTime(100, SETTINGS)).toBe(1_000);
  });
});

describe('an attempt after a pause', () => {
  const time = { outcomeWaitMs: 25_000, askingMs: 6_000 };

  it.each([
    [1_000, 0, true],
    [18_000, 0, true],
    [18_001, 0, false],
    [5_000, 13_000, true],
    [5_000, 13_001, false],
    [1_000, 40_000, false],
  ])('of %i ms, for a client that has waited %i ms, is in time: %p', (pause, waited, expected) => {
    expect(fits(pause, waited, time)).toBe(expected);
  });
});
