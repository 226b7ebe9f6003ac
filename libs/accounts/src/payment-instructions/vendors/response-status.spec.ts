import { failureOfStatus, refusalOfStatus } from './response-status';

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
    ['5s', undefined],
    ['x5', undefined],
    ['', undefined],
  ])('%j is a delay of %j ms', (header, delayMs) => {
    expect(failureOfStatus(429, header, now)?.retryAfterMs).toBe(delayMs);
  });

  it('alone is not a failure', () => {
    expect(failureOfStatus(200, '30', now)).toBeUndefined();
  });
});

describe('the status of a vendor', () => {
  it.each([
    [200, undefined],
    [299, undefined],
    [300, 'vendor_redirected'],
    [399, 'vendor_redirected'],
    [400, undefined],
    [408, 'vendor_error'],
    [429, 'vendor_rate_limited'],
    [499, undefined],
    [500, 'vendor_error'],
    [503, 'vendor_error'],
  ])('%i is the failure %s', (status, code) => {
    expect(failureOfStatus(status, undefined, now)?.code).toBe(code);
  });

  it('delays what the vendor asks to delay', () => {
    expect(failureOfStatus(503, '2', now)?.retryAfterMs).toBe(2_000);
  });

  it.each([
    [404, 'instruction_not_found'],
    [401, 'vendor_access_denied'],
    [403, 'vendor_access_denied'],
    [400, 'vendor_refused'],
    [422, 'vendor_refused'],
  ])('%i with an error of the vendor is the refusal %s', (status, code) => {
    expect(refusalOfStatus(status, { error: {} })).toMatchObject({ outcome: 'refused', code });
  });

  it.each([[undefined], [{}], [{ message: 'Not found' }]])(
    '404 with the body %j says nothing about the instruction',
    (body) => {
      expect(refusalOfStatus(404, body)).toMatchObject({
        outcome: 'unavailable',
        code: 'vendor_answer_invalid',
      });
    },
  );
});
