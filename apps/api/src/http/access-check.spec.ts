import { PortageError } from '@portage/platform';
import type { FastifyRequest } from 'fastify';
import { ACCESS_CHECK_MS, watchAccess } from './access-check';

const revoked = new PortageError('authentication_failed', 'Words.');

/** Watches a request with these results of its checks, one after the other. */
function watch(...results: (PortageError | Error | undefined)[]) {
  const request = {} as FastifyRequest;
  let checks = 0;
  request.accessCheck = async () => {
    const result = results[(checks += 1) - 1];
    if (result === undefined || result instanceof PortageError) return Promise.resolve(result);
    throw result;
  };
  const ends: PortageError[] = [];
  const stop = watchAccess(request, (error) => ends.push(error));
  return { stop, ends, count: () => checks };
}

describe('the access of a request that takes long', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const pass = async (times: number) => jest.advanceTimersByTimeAsync(times * ACCESS_CHECK_MS);

  it('is checked at least every five seconds, until it ends', async () => {
    expect(ACCESS_CHECK_MS).toBeLessThanOrEqual(5_000);
    const { ends, count } = watch(undefined, undefined, revoked);
    await pass(2);
    expect([ends, count()]).toEqual([[], 2]);
    await pass(5);
    expect([ends, count()]).toEqual([[revoked], 3]);
  });

  it('goes on while it cannot be checked', async () => {
    const { ends } = watch(new Error('The database is away.'), revoked);
    await pass(1);
    expect(ends).toEqual([]);
    await pass(1);
    expect(ends).toEqual([revoked]);
  });

  it('is not checked once the request has ended', async () => {
    const { stop, count } = watch();
    stop();
    await pass(3);
    expect(count()).toBe(0);
  });
});
