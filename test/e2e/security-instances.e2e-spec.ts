import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '../../libs/importing/src/access/api-key-text';
import { newClientAddress, requestToken, SecondApi, TestPortage, until } from '@portage/testing';

const [OLD, NEW] = ['the old secret, 32 characters long', 'the new secret, 32 characters long'];
const REQUESTS = 30;
const FAILURES = 12;

let portage: TestPortage;
let second: SecondApi;
let instances: string[];

beforeAll(async () => {
  portage = await TestPortage.start({
    backend: 'postgres',
    workers: 0,
    env: {
      TOKEN_SECRET: OLD,
      TOKEN_FAILURES_PER_ADDRESS: String(FAILURES),
      TOKEN_FAILURE_WINDOW_SECONDS: '5',
      ORGANISATION_REQUESTS_PER_MINUTE: String(REQUESTS),
    },
  });
  second = await SecondApi.start(portage);
  instances = [portage.baseUrl, second.baseUrl];
});
afterAll(async () => {
  await second.stop();
  await portage.stop();
});

async function newKey(organisation: string): Promise<string> {
  await portage.operator('organisation', 'create', organisation);
  return (await portage.operator('api-key', 'issue', '--organisation', organisation)).api_key;
}

/** Requests the list of an unknown supplier: 404 with a valid token, else 401. */
async function use(baseUrl: string, token: string): Promise<Response> {
  return fetch(`${baseUrl}/v1/data-import/all-account-import-processes/UNKNOWN/`, {
    headers: { authorization: `Token ${token}` },
    signal: AbortSignal.timeout(30_000),
  });
}

const statusOf = async (baseUrl: string, token: string) => (await use(baseUrl, token)).status;

describe('every instance', () => {
  it('refuses the tokens of a revoked key at once', async () => {
    const APIKey = await newKey('Revoked Ltd');
    const { token, refreshToken } = await requestToken(instances[0]!, { APIKey });
    for (const instance of instances) expect(await statusOf(instance, token)).toBe(404);
    await portage.operator('api-key', 'revoke', APIKey.split('_')[1]!);
    for (const instance of instances) {
      await until(
        async () => (await statusOf(instance, token)) !== 404,
        3_000,
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

  it('accepts tokens of the previous secret while it is configured', async () => {
    const { token: old } = await requestToken(instances[0]!, { APIKey: portage.apiKey });
    const rotated = await SecondApi.start(portage, { TOKEN_SECRET: NEW, TOKEN_SECRET_PREVIOUS: OLD });
    try {
      expect(await statusOf(rotated.baseUrl, old)).toBe(404);
      const { token } = await requestToken(rotated.baseUrl, { APIKey: portage.apiKey });
      expect(await statusOf(rotated.baseUrl, token)).toBe(404);
      // First step of a rotation: an instance accepts the new secret before any instance signs with it.
      expect(await statusOf(instances[0]!, token)).toBe(401);
      const prepared = await SecondApi.start(portage, { TOKEN_SECRET_PREVIOUS: NEW });
      expect(await statusOf(prepared.baseUrl, token)).toBe(404);
      await prepared.stop();
    } finally {
      await rotated.stop();
    }
    const last = await SecondApi.start(portage, { TOKEN_SECRET: NEW });
    try {
      expect(await statusOf(last.baseUrl, old)).toBe(401);
    } finally {
      await last.stop();
    }
  });
});

it('the instances share one rate limit per organisation', async () => {
  const { token } = await requestToken(instances[0]!, { APIKey: await newKey('Busy Ltd') });
  const { token: otherToken } = await requestToken(instances[0]!, { APIKey: await newKey('Quiet Ltd') });
  const answers = await Promise.all(
    Array.from({ length: REQUESTS + 10 }, async (_, n) => use(instances[n % 2]!, token)),
  );
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(REQUESTS);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  for (const answer of refused) {
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await answer.json()).toEqual({ code: 'throttled', detail: expect.any(String) });
  }
  for (const instance of instances) expect(await statusOf(instance, otherToken)).toBe(404);
});

it('a forwarded address is ignored unless the proxy is trusted', async () => {
  const attempt = async () => requestToken(instances[0]!, { APIKey: newApiKey().text }, newClientAddress());
  const failed = await Promise.all(Array.from({ length: FAILURES }, attempt));
  expect(new Set(failed.map(({ outcome }) => outcome))).toEqual(new Set(['authentication_failed']));
  const { outcome, retryAfter } = await attempt();
  expect(outcome).toBe('throttled');
  // The other cases send from the same address.
  await sleep(retryAfter! * 1_000);
});
