import { systemClock } from '@portage/platform';
import { refused, unavailable, type Verified } from './payment-vendor';
import { type BreakerState, VendorBreaker } from './vendor-breaker';

const PAUSE_MS = 30_000;
const verified: Verified = {
  outcome: 'verified',
  instruction: { vendor: 'STRIPE', reference: 'pm_1', type: 'CARD', details: {} },
};
const failing = async () => Promise.resolve(unavailable('vendor_error'));
const refusing = async () => Promise.resolve(refused('instruction_not_found'));
const working = async () => Promise.resolve(verified);

let changes: BreakerState[];
let breaker: VendorBreaker;
beforeEach(() => {
  jest.useFakeTimers();
  changes = [];
  breaker = new VendorBreaker({ maxFailures: 3, pauseMs: PAUSE_MS }, systemClock, (state) =>
    changes.push(state),
  );
});
afterEach(() => {
  jest.useRealTimers();
});

async function open(): Promise<void> {
  for (let i = 0; i < 3; i++) expect(await breaker.run(failing)).toMatchObject({ code: 'vendor_error' });
}

describe('a circuit breaker', () => {
  it('opens after the configured number of consecutive failures and then sends no request', async () => {
    await open();
    expect(changes).toEqual(['open']);
    jest.advanceTimersByTime(10_000);
    const request = jest.fn(working);
    expect(await breaker.run(request)).toMatchObject({ code: 'vendor_paused', retryAfterMs: 20_000 });
    expect(request).not.toHaveBeenCalled();
  });

  it.each([
    ['a refusal', refusing],
    ['a success', working],
  ])('restarts its failure count after %s', async (_case, request) => {
    for (let i = 0; i < 10; i++) {
      await breaker.run(failing);
      await breaker.run(failing);
      await breaker.run(request);
    }
    expect([breaker.state, changes]).toEqual(['closed', []]);
  });

  it('stays closed for a missing key, which a pause cannot fix', async () => {
    for (let i = 0; i < 20; i++)
      await breaker.run(async () => Promise.resolve(unavailable('vendor_not_configured')));
    expect(breaker.state).toBe('closed');
  });

  it.each([
    ['a success', working],
    ['a refusal', refusing],
  ])('closes when the probe request after the pause ends in %s', async (_case, request) => {
    await open();
    jest.advanceTimersByTime(PAUSE_MS);
    expect(await breaker.run(request)).toEqual(await request());
    expect(changes).toEqual(['open', 'half-open', 'closed']);
  });

  it('is half-open after the pause, without a call', async () => {
    await open();
    expect(breaker.state).toBe('open');
    jest.advanceTimersByTime(PAUSE_MS);
    expect(breaker.state).toBe('half-open');
  });

  it('passes on what a request throws, and does not count it', async () => {
    for (let i = 0; i < 4; i++)
      await expect(breaker.run(async () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    expect(breaker.state).toBe('closed');
  });

  it('opens again when the probe request after the pause fails', async () => {
    await open();
    jest.advanceTimersByTime(PAUSE_MS);
    expect(await breaker.run(failing)).toMatchObject({ code: 'vendor_error' });
    expect(await breaker.run(working)).toMatchObject({ code: 'vendor_paused' });
    expect(changes).toEqual(['open', 'half-open', 'open']);
  });

  it('sends one probe request after the pause and does not make other callers wait for it', async () => {
    expect(breaker.openSince).toBeUndefined();
    await open();
    const openedAt = new Date();
    jest.advanceTimersByTime(PAUSE_MS);
    let resolveProbe: (outcome: Verified) => void = () => undefined;
    const probe = breaker.run(
      async () =>
        new Promise((resolve) => {
          resolveProbe = resolve;
        }),
    );
    const others = await Promise.all([breaker.run(working), breaker.run(working)]);
    expect(others).toMatchObject([{ code: 'vendor_paused' }, { code: 'vendor_paused' }]);
    expect([breaker.state, breaker.openSince]).toEqual(['half-open', openedAt]);
    resolveProbe(verified);
    expect(await probe).toBe(verified);
    expect(await breaker.run(working)).toBe(verified);
  });
});
