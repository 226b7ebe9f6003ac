import { setTimeout as sleep } from 'node:timers/promises';
import { Installation, newClientAddress, requestToken, until } from '@portage/testing';
import { newApiKey } from '../../libs/tenants/src/access/api-key-text';

const [OLD, NEW] = ['the old secret, 32 characters long', 'the new secret, 32 characters long'];
const FAILURES = 12;
// Short, because the last case waits for its end.
const WINDOW_SECONDS = 5;

const portage = Installation.use({
  backend: 'postgres',
  workers: 0,
  apis: 2,
  env: {
    TOKEN_SECRET: OLD,
    TOKEN_FAILURES_PER_ADDRESS: String(FAILURES),
    TOKEN_FAILURE_WINDOW_SECONDS: String(WINDOW_SECONDS),
  },
});
let instances: string[];

beforeAll(() => {
  instances = portage.apis.map(({ baseUrl }) => baseUrl);
});

async function newKey(organisation: string): Promise<string> {
  await portage.operator('organisation', 'create', organisation);
  return (await portage.operator('api-key', 'issue', '--organisation', organisation)).api_key;
}

/** The status of the list of an unknown supplier: 404 with a valid token, else 401. */
async function statusOf(baseUrl: string, token: string): Promise<number> {
  const path = '/v1/data-import/all-account-import-processes/UNKNOWN/';
  return (await portage.send('GET', path, { baseUrl, headers: { authorization: `Token ${token}` } })).status;
}

/** How many reused refresh tokens each instance has counted. */
const reuseCounts = async () =>
  Promise.all(
    instances.map(async (instance) => portage.metric('portage_refresh_token_reuse_total', instance)),
  );

describe('every instance', () => {
  it('refuses the tokens of a revoked key at once', async () => {
    const APIKey = await newKey('Revoked Ltd');
    const { token, refreshToken } = await requestToken(instances[0]!, { APIKey });
    for (const instance of instances) expect(await statusOf(instance, token)).toBe(404);
    await portage.operator('api-key', 'revoke', APIKey.split('_')[1]!);
    for (const instance of instances) {
      await until(
        async () => (await statusOf(instance, token)) !== 404,
        () => `${instance} still accepted the token`,
      );
      expect(await statusOf(instance, token)).toBe(401);
      expect((await requestToken(instance, { refreshToken })).outcome).toBe('authentication_failed');
    }
  });

  it('accepts a refresh token only once across all instances', async () => {
    const { refreshToken } = await requestToken(instances[0]!, { APIKey: portage.apiKey });
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => requestToken(instances[n % 2]!, { refreshToken })),
    );
    const accepted = answers.filter(({ outcome }) => outcome === 'obtained');
    expect(accepted).toHaveLength(1);
    // The other requests were second uses, so the whole token family is revoked.
    for (const instance of instances)
      expect((await requestToken(instance, { refreshToken: accepted[0]!.refreshToken })).outcome).toBe(
        'authentication_failed',
      );
  });

  it('refuses the access tokens of a family at once when one of its refresh tokens is used twice', async () => {
    const APIKey = await newKey('Robbed Ltd');
    const first = await requestToken(instances[0]!, { APIKey });
    const next = await requestToken(instances[1]!, { refreshToken: first.refreshToken });
    const other = await requestToken(instances[0]!, { APIKey });
    for (const instance of instances)
      for (const { token } of [first, next, other]) expect(await statusOf(instance, token)).toBe(404);
    const before = await reuseCounts();

    const thief = await requestToken(instances[1]!, { refreshToken: first.refreshToken });
    expect(thief.outcome).toBe('authentication_failed');
    for (const instance of instances) {
      await until(
        async () => (await statusOf(instance, next.token)) === 401,
        () => `${instance} still accepted the token`,
      );
      expect(await statusOf(instance, first.token)).toBe(401);
      // Another family of the same key is not affected.
      expect(await statusOf(instance, other.token)).toBe(404);
    }
    expect((await requestToken(instances[0]!, { refreshToken: next.refreshToken })).outcome).toBe(
      'authentication_failed',
    );

    // Counted and logged once, by the instance that found it.
    expect(await reuseCounts()).toEqual([before[0], before[1]! + 1]);
    const log = portage.apis.map((api) => api.logTail(10_000)).join('');
    const prefix = APIKey.split('_')[1]!;
    expect(log.split(`A refresh token of the API key ${prefix} was used twice`)).toHaveLength(2);
    expect(log).not.toContain(first.refreshToken);
  });

  it('accepts tokens of the previous secret while it is configured', async () => {
    const { token: old } = await requestToken(instances[0]!, { APIKey: portage.apiKey });
    // The steps of a rotation: an instance accepts the new secret before any instance signs with it.
    const [prepared, rotated, last] = await Promise.all([
      portage.addApi({ TOKEN_SECRET_PREVIOUS: NEW }),
      portage.addApi({ TOKEN_SECRET: NEW, TOKEN_SECRET_PREVIOUS: OLD }),
      portage.addApi({ TOKEN_SECRET: NEW }),
    ]);
    try {
      expect(await statusOf(rotated.baseUrl, old)).toBe(404);
      const { token } = await requestToken(rotated.baseUrl, { APIKey: portage.apiKey });
      expect(await statusOf(rotated.baseUrl, token)).toBe(404);
      expect(await statusOf(instances[0]!, token)).toBe(401);
      expect(await statusOf(prepared.baseUrl, token)).toBe(404);
      expect(await statusOf(last.baseUrl, old)).toBe(401);
    } finally {
      await Promise.all([prepared, rotated, last].map(async (instance) => instance.stop()));
    }
  });
});

it('a forwarded address is ignored unless the proxy is trusted, and the one that is throttled is accepted again after the seconds in Retry-After', async () => {
  const attempt = async (APIKey: string) => requestToken(instances[0]!, { APIKey }, newClientAddress());
  let last = await attempt(newApiKey().text);
  await until(
    async () => (last = await attempt(newApiKey().text)).outcome === 'throttled',
    () => last.outcome,
  );
  expect(last.retryAfter).toBeLessThanOrEqual(WINDOW_SECONDS);
  await sleep(last.retryAfter! * 1_000);
  expect((await attempt(portage.apiKey)).outcome).toBe('obtained');
});
