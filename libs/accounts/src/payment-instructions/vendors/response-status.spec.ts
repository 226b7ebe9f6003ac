import { failureOfStatus } from './response-status';

const now = new Date('2026-11-21T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['30', 30_000],
    ['99999999999', 86_400_000],
    ['Sat, 21 Nov 2026 12:00:10 GMT', 10_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5s', undefined],
    ['', undefined],
  ])('%j is a delay of %j ms', (header, delayMs) => {
    expect(failureOfStatus(429, header, now)?.retryAfterMs).toBe(delayMs);
  });

  it('alone is not a failure', () => {
    expect(failureOfStatus(200, '30', now)).toBeUndefined();
  });
});
