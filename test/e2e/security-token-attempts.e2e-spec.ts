import { Installation, requestToken, type TokenAnswer, until } from '@portage/testing';
import { Client } from 'pg';
import { newApiKey, newRefreshToken } from '../../libs/tenants/src/access/api-key-text';

const FAILURES = 5;
/** MAX_FAILURES_PER_KEY of token-attempts.ts. */
const FAILURES_PER_KEY = 100;
/** Longer than any case takes. security-instances.e2e-spec.ts waits for the end of a window. */
const WINDOW_SECONDS = 600;

const portage = Installation.use({
  backend: 'postgres',
  workers: 0,
  apis: 2,
  env: {
    // The tests send forwarded addresses like a proxy, so that each test can act as many clients.
    TRUSTED_PROXIES: 'loopback',
    TOKEN_FAILURES_PER_ADDRESS: String(FAILURES),
    TOKEN_FAILURE_WINDOW_SECONDS: String(WINDOW_SECONDS),
    TOKEN_ATTEMPTS_PER_MINUTE: '50',
  },
});
let instances: string[];
let nextAddress = 1;

beforeAll(() => {
  instances = portage.apis.map(({ baseUrl }) => baseUrl);
});

const newAddress = () => `198.51.100.${nextAddress++}`;
const unknownKey = () => ({ APIKey: newApiKey().text });
const validKey = () => ({ APIKey: portage.apiKey });

/** Builds a key with the prefix of an existing key, a valid checksum and another secret. */
function guessKey(apiKey: string): { APIKey: string } {
  const prefix = apiKey.split('_')[1]!;
  const { text } = newApiKey(prefix);
  return { APIKey: text };
}

/** Requests tokens one after the other, from the instances in turn. */
async function requestTokens(times: number, input: () => object, address: string): Promise<TokenAnswer[]> {
  const answers: TokenAnswer[] = [];
  for (let time = 0; time < times; time += 1)
    answers.push(await requestToken(instances[time % instances.length]!, input(), address));
  return answers;
}

const outcomes = (answers: TokenAnswer[]) => [...new Set(answers.map(({ outcome }) => outcome))];

/** Runs `work` while queries of some tables fail, because the tables are renamed. */
async function withoutTables<T>(tables: string[], work: () => Promise<T>): Promise<T> {
  for (const table of tables) await portage.sql(`ALTER TABLE ${table} RENAME TO mislaid_${table}`);
  try {
    return await work();
  } finally {
    for (const table of tables) await portage.sql(`ALTER TABLE mislaid_${table} RENAME TO ${table}`);
  }
}

describe('an address that fails to obtain tokens', () => {
  it('is refused by all instances, even with a valid key; other addresses are not', async () => {
    const address = newAddress();
    expect(outcomes(await requestTokens(FAILURES, unknownKey, address))).toEqual(['authentication_failed']);
    const refused = await requestTokens(4, validKey, address);
    for (const { outcome, status, retryAfter } of refused) {
      expect([outcome, status]).toEqual(['throttled', 429]);
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(WINDOW_SECONDS);
    }
    expect(outcomes(await requestTokens(2, validKey, newAddress()))).toEqual(['obtained']);
  });

  it('causes no database query once it is refused', async () => {
    const address = newAddress();
    await requestTokens(FAILURES, unknownKey, address);
    await requestTokens(2, validKey, address);
    const refused = await withoutTables(['rate_limit', 'api_key'], async () =>
      requestTokens(20, validKey, address),
    );
    expect(outcomes(refused)).toEqual(['throttled']);
  });

  it('includes all addresses of its IPv6 network', async () => {
    const network = '2001:db8:77:1';
    for (let time = 0; time < FAILURES; time += 1)
      await requestToken(instances[0]!, unknownKey(), `${network}:${time}::1`);
    expect((await requestToken(instances[1]!, validKey(), `${network}:ffff::1`)).outcome).toBe('throttled');
    expect((await requestToken(instances[1]!, validKey(), '2001:db8:77:2::1')).outcome).toBe('obtained');
  });

  it('gets no more guesses judged by sending them concurrently', async () => {
    const address = newAddress();
    const guesses = await Promise.all(
      Array.from({ length: 45 }, async (_, n) =>
        requestToken(
          instances[n % 2]!,
          n % 3 === 0 ? { refreshToken: newRefreshToken() } : unknownKey(),
          address,
        ),
      ),
    );
    expect(guesses.filter(({ outcome }) => outcome === 'authentication_failed')).toHaveLength(FAILURES);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(45 - FAILURES);
    expect(outcomes(await requestTokens(2, validKey, address))).toEqual(['throttled']);
  });

  it('gets no more guesses judged by sending them in one request', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const aliases = Array.from(
          { length: 5 },
          (_, i) => `a${i}: obtainPlatformToken(input: $input) { token }`,
        );
        const query = `mutation ($input: ObtainPlatformTokenInput!) { ${aliases.join(' ')} }`;
        const response = await fetch(`${instances[n % 2]!}/v1/graphql/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify({ query, variables: { input: unknownKey() } }),
        });
        return (await response.json()) as { errors: { extensions: { code: string } }[] };
      }),
    );
    // The first error ends a request.
    const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
    expect(codes).toHaveLength(8);
    expect(codes.filter((code) => code === 'authentication_failed')).toHaveLength(FAILURES);
  });

  it.each<[string, () => object]>([
    ['refresh tokens', () => ({ refreshToken: newRefreshToken() })],
    ['revoked keys', () => ({ APIKey: revoked })],
  ])('is throttled with %s too', async (_what, input) => {
    const address = newAddress();
    expect(outcomes(await requestTokens(FAILURES, input, address))).toEqual(['authentication_failed']);
    expect(outcomes(await requestTokens(2, input, address))).toEqual(['throttled']);
  });

  let revoked = '';
  beforeAll(async () => {
    revoked = (await portage.operator('api-key', 'issue', '--organisation', 'Supplier Ltd')).api_key;
    await portage.operator('api-key', 'revoke', revoked.split('_')[1]!);
  });
});

describe('a key with an invalid checksum', () => {
  const malformed = () => ({
    APIKey: `${portage.apiKey.slice(0, -1)}${portage.apiKey.endsWith('a') ? 'b' : 'a'}`,
  });

  it('causes no database query', async () => {
    const answers = await withoutTables(['rate_limit', 'api_key'], async () =>
      requestTokens(FAILURES, malformed, newAddress()),
    );
    expect(outcomes(answers)).toEqual(['authentication_failed']);
  });
});

it('a key whose secret is guessed from many addresses is refused from new addresses, and accepted from addresses that have used it', async () => {
  const { api_key } = await portage.operator('api-key', 'issue', '--organisation', 'Supplier Ltd');
  const guessed = () => ({ APIKey: api_key as string });
  const user = newAddress();
  expect(outcomes(await requestTokens(1, guessed, user))).toEqual(['obtained']);
  const guesses = await Promise.all(
    Array.from({ length: FAILURES_PER_KEY / 4 }, async () =>
      requestTokens(4, () => guessKey(api_key as string), newAddress()),
    ),
  );
  expect(outcomes(guesses.flat())).toEqual(['authentication_failed']);
  expect(outcomes(await requestTokens(2, guessed, newAddress()))).toEqual(['throttled']);
  expect(outcomes(await requestTokens(4, guessed, user))).toEqual(['obtained']);
  expect(outcomes(await requestTokens(2, validKey, newAddress()))).toEqual(['obtained']);
  const prefix = String(api_key).split('_')[1]!;
  // The instance that counted the last allowed attempt logs the warning.
  const log = portage.apis.map((api) => api.logTail(10_000)).join('');
  expect(log.split(`The API key ${prefix} has too many failed attempts.`)).toHaveLength(2);
});

async function countedFailures(address: string): Promise<number> {
  const [found] = await portage.sql<{ points: number }>('SELECT points FROM rate_limit WHERE key = $1', [
    `token-failures:${address}`,
  ]);
  return found!.points;
}

describe('a busy supplier', () => {
  it('obtains many tokens concurrently from one address', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => requestToken(instances[n % 2]!, validKey(), address)),
    );
    expect(outcomes(answers)).toEqual(['obtained']);
    // Attempts are counted as failures until they succeed.
    expect(await countedFailures(address)).toBe(0);
  });

  it('is throttled above TOKEN_ATTEMPTS_PER_MINUTE', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 80 }, async (_, n) => requestToken(instances[n % 2]!, validKey(), address)),
    );
    expect(answers.filter(({ outcome }) => outcome === 'obtained')).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });
});

it.each<[string, (work: () => Promise<void>) => Promise<void>]>([
  ['their table is missing', async (work) => withoutTables(['rate_limit'], work)],
  ['their table is locked', async (work) => whileLocked('rate_limit', work)],
])(
  'tokens are issued and each instance counts failed attempts locally while the shared counts are unavailable, because %s',
  async (_what, whileUnavailable) => {
    await whileUnavailable(async () => {
      expect(outcomes(await requestTokens(4, validKey, newAddress()))).toEqual(['obtained']);
      const address = newAddress();
      expect(outcomes(await requestTokens(FAILURES * 2, unknownKey, address))).toEqual([
        'authentication_failed',
      ]);
      expect(outcomes(await requestTokens(2, validKey, address))).toEqual(['throttled']);
    });
    const isLogged = portage.api!.logTail(10_000).includes('This instance counts locally.');
    expect(isLogged).toBe(true);
    const sharedCounts = async () => (await portage.sql('SELECT 1 FROM rate_limit')).length;
    for (const instance of instances)
      await until(
        async () => {
          const before = await sharedCounts();
          await requestToken(instance, unknownKey(), newAddress());
          return (await sharedCounts()) > before;
        },
        () => `${instance} still counts locally.`,
      );
    const address = newAddress();
    await requestTokens(FAILURES, unknownKey, address);
    expect(outcomes(await requestTokens(2, validKey, address))).toEqual(['throttled']);
  },
);

/** Runs `work` while another session holds an exclusive lock on a table. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const session = new Client({ connectionString: portage.databaseUrl });
  await session.connect();
  await session.query(`BEGIN; LOCK TABLE ${table}`);
  try {
    await work();
  } finally {
    await session.end();
  }
}
