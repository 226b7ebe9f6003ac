import { loadConfig, maxTotalBackoffMs, queueSettings } from '@portage/platform';
import { isInTime, vendorTimeoutMs } from './vendor-timeout';

const SETTINGS = queueSettings['payment-instructions'];
const { OUTCOME_WAIT_MS, VENDOR_TIMEOUT_MS } = loadConfig('cli', {
  DATABASE_URL: 'postgres://127.0.0.1/portage',
});

describe('the timeout of a call to a vendor', () => {
  it.each([7_000, 10_000, OUTCOME_WAIT_MS, 60_000])(
    'allows all attempts and pauses within a client timeout of %i ms',
    (wait) => {
      const all = vendorTimeoutMs(wait, SETTINGS) * SETTINGS.attempts + maxTotalBackoffMs(SETTINGS);
      expect(all).toBeLessThan(wait);
    },
  );

  it('does not shorten VENDOR_TIMEOUT_MS with the default settings', () => {
    expect(SETTINGS.attempts).toBe(3);
    expect(vendorTimeoutMs(OUTCOME_WAIT_MS, SETTINGS)).toBeGreaterThanOrEqual(VENDOR_TIMEOUT_MS);
  });

  it('is at least one second', () => {
    expect(vendorTimeoutMs(100, SETTINGS)).toBe(1_000);
  });
});

describe('an attempt after a pause', () => {
  const time = { outcomeWaitMs: 25_000, timeoutMs: 6_000 };

  it.each([
    [1_000, 0, true],
    [18_000, 0, true],
    [18_001, 0, false],
    [5_000, 13_000, true],
    [5_000, 13_001, false],
    [1_000, 40_000, false],
  ])('a pause of %i ms, for a client that has waited %i ms, ends in time: %p', (pause, waited, expected) => {
    expect(isInTime(pause, waited, time)).toBe(expected);
  });
});
