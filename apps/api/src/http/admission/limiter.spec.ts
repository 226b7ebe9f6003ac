import { Throttled } from '@portage/platform';
import { type Admission, Limiter } from './limiter';
import { concurrencyLimits, type RequestKind } from './request-kind';

const [A, B, C] = ['1', '2', '3'];
const LIMIT = { maxWithoutOthers: 4, maxBesideOthers: 2 };
const requests = {
  ...concurrencyLimits({ DATABASE_POOL: 10, WORKER_CONCURRENCY: 16 }),
  accounts: LIMIT,
  lists: LIMIT,
};

let now = 0;
let limiter: Limiter;
beforeEach(() => {
  jest.useFakeTimers();
  now = 5_000;
  limiter = new Limiter({ requests, maxBytesOfOwner: 60, maxBytes: 100 }, () => now);
});
afterEach(() => {
  jest.useRealTimers();
});

/** A request, and what has become of it. */
function request(owner: string, weight = 1, kind: RequestKind = 'accounts') {
  const outcomes: (Admission | Throttled)[] = [];
  const leave = limiter.enter(owner, kind, weight, (outcome) => outcomes.push(outcome));
  const isAdmitted = () => outcomes.length === 1 && !(outcomes[0] instanceof Throttled);
  return { outcomes, leave, isAdmitted };
}

/** Requests that would wait leave. */
function enter(owner: string, weight = 1, kind: RequestKind = 'accounts'): Admission | undefined {
  const { outcomes, leave } = request(owner, weight, kind);
  leave();
  const [outcome] = outcomes;
  return outcome instanceof Throttled ? undefined : outcome;
}

const wait = request;

describe('the concurrent requests of an organisation', () => {
  it('are limited generously while it is alone', () => {
    expect(Array.from({ length: 5 }, () => enter(A) !== undefined)).toEqual([true, true, true, true, false]);
  });

  it('are not limited by the uploads of another organisation, which last for hours', () => {
    enter(B, 1, 'uploads');
    expect(Array.from({ length: 5 }, () => enter(A) !== undefined)).toEqual([true, true, true, true, false]);
  });

  it('are limited to few while another organisation sends few, and to many again later', () => {
    enter(B)?.release();
    expect(Array.from({ length: 3 }, () => enter(A) !== undefined)).toEqual([true, true, false]);
    now += 2_000;
    const running = [enter(A), enter(A)];
    expect([running[0] !== undefined, running[1] !== undefined, enter(A)]).toEqual([true, true, undefined]);
  });

  it('are limited to many while all organisations send many', () => {
    for (let count = 0; count < 4; count += 1) {
      expect(enter(A)).toBeDefined();
      expect(enter(B)).toBeDefined();
    }
  });

  it('are limited by the organisation that sends fewest', () => {
    enter(C)?.release();
    expect([enter(A), enter(A)].map((admission) => admission !== undefined)).toEqual([true, true]);
    for (let count = 0; count < 10; count += 1) if (!enter(B)) wait(B);
    expect(enter(A)).toBeUndefined();
  });

  it('never keep another organisation from entering', () => {
    for (let count = 0; count < 10; count += 1) if (!enter(A)) wait(A);
    expect(enter(B)).toBeDefined();
  });

  it('are limited for each kind', () => {
    for (let count = 0; count < 4; count += 1) enter(A);
    expect(enter(A)).toBeUndefined();
    expect(enter(A, 1, 'lists')).toBeDefined();
  });

  it('count by weight; a request that is heavier than the limit runs alone', () => {
    const heavy = enter(A, 50);
    expect(heavy).toBeDefined();
    expect(enter(A)).toBeUndefined();
    const waiting = wait(A);
    heavy?.release();
    expect(waiting.isAdmitted()).toBe(true);
    expect(enter(A, 50)).toBeUndefined();
  });
});

describe('a request above the limit', () => {
  it('waits for its turn, and none overtakes it', () => {
    const admissions = Array.from({ length: 4 }, () => enter(A));
    const [first, second] = [wait(A), wait(A)];
    admissions[0]?.release();
    expect([first.isAdmitted(), second.isAdmitted()]).toEqual([true, false]);
    expect(enter(A)).toBeUndefined();
  });

  it('gets 429 with Retry-After after ten seconds', () => {
    for (let count = 0; count < 4; count += 1) enter(A);
    const waiting = wait(A);
    jest.advanceTimersByTime(9_999);
    expect(waiting.outcomes).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(waiting.outcomes).toEqual([expect.any(Throttled)]);
    expect(waiting.outcomes[0]).toMatchObject({ code: 'throttled', retryAfterSeconds: 2 });
  });

  it('gets 429 after a second if 256 wait before it', () => {
    for (let count = 0; count < 4; count += 1) enter(A);
    const waiting = Array.from({ length: 256 }, () => wait(A));
    expect(waiting.some(({ outcomes }) => outcomes.length > 0)).toBe(false);
    const refused = wait(A);
    expect(refused.outcomes).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(refused.outcomes).toEqual([expect.any(Throttled)]);
    expect(waiting.some(({ outcomes }) => outcomes.length > 0)).toBe(false);
  });

  it('is forgotten when its client disconnects', () => {
    const admissions = Array.from({ length: 4 }, () => enter(A));
    const [gone, next] = [wait(A), wait(A)];
    gone.leave();
    admissions[0]?.release();
    expect([gone.outcomes, next.isAdmitted()]).toEqual([[], true]);
  });

  it('a request that is released twice frees its place once', () => {
    const admissions = Array.from({ length: 4 }, () => enter(A));
    const waiting = [wait(A), wait(A)];
    admissions[0]?.release();
    admissions[0]?.release();
    expect(waiting.map(({ isAdmitted }) => isAdmitted())).toEqual([true, false]);
  });
});

describe('the memory of bodies', () => {
  /** Without weight, as requests of strangers. */
  const open = (owner: string) => enter(owner, 0) as Admission;

  it('is limited for each owner and for all together', () => {
    const [first, second, third] = [open(A), open(A), open(B)];
    expect(first.grow(40)).toBeUndefined();
    expect(second.grow(30)).toMatchObject({ code: 'throttled', retryAfterSeconds: 2 });
    expect(second.grow(20)).toBeUndefined();
    expect(third.grow(50)).toMatchObject({ code: 'unavailable' });
    expect(third.grow(40)).toBeUndefined();
    expect(limiter.bytes).toBe(100);
  });

  it('counts what a request grows by, and nothing for one that does not grow', () => {
    const admission = open(A);
    for (const bytes of [10, 30, 20, 30]) admission.grow(bytes);
    expect(limiter.bytes).toBe(30);
    expect(admission.grow(61)).toBeDefined();
    expect(limiter.bytes).toBe(30);
  });

  it('is free again once every request is released, each once', () => {
    const admissions = [A, A, B].map(open);
    for (const admission of admissions) admission.grow(20);
    for (const admission of [...admissions, ...admissions]) admission.release();
    expect(limiter.bytes).toBe(0);
    expect(open(A).grow(60)).toBeUndefined();
  });

  it('is not taken by a request that was released', () => {
    const admission = open(A);
    admission.release();
    expect(admission.grow(1_000)).toBeUndefined();
    expect(limiter.bytes).toBe(0);
  });
});

describe('the limits of the kinds of requests', () => {
  it('leaves database connections to others, whatever the size of the pool', () => {
    for (const DATABASE_POOL of [2, 10, 200]) {
      const limits = concurrencyLimits({ DATABASE_POOL, WORKER_CONCURRENCY: 16 });
      const { maxWithoutOthers, maxBesideOthers } = limits['notes-and-statements'];
      expect(maxWithoutOthers).toBeLessThan(DATABASE_POOL);
      expect(maxBesideOthers).toBe(1);
    }
  });

  it('leaves places of the worker to others that wait for a vendor, however slow the vendor is', () => {
    for (const WORKER_CONCURRENCY of [2, 16, 500]) {
      const limits = concurrencyLimits({ DATABASE_POOL: 10, WORKER_CONCURRENCY });
      const { maxWithoutOthers, maxBesideOthers } = limits['payment-instructions'];
      expect(maxWithoutOthers).toBeLessThan(WORKER_CONCURRENCY);
      expect(maxBesideOthers).toBeLessThanOrEqual(maxWithoutOthers);
    }
  });
});
