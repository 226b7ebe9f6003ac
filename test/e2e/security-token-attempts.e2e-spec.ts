import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newApiKey, newRefreshToken } from '../../libs/importing/src/access/api-key-text';
import { askForToken, SecondApi, TestPortage, type TokenAnswer } from '@portage/testing';

const FAILURES = 5;
/** MAX_FAILURES_PER_KEY of token-attempts.ts. */
const FAILURES_OF_KEY = 100;
const WINDOW_SECONDS = 8;

let portage: TestPortage;
let second: SecondApi;
let instances: string[];
let nextAddress = 1;

beforeAll(async () => {
  portage = await TestPortage.start({
    backend: 'postgres',
    workers: 0,
    env: {
      // The tests are the proxy, so that each can be many clients.
      TRUSTED_PROXIES: 'loopback',
      TOKEN_FAILURES_PER_ADDRESS: String(FAILURES),
      TOKEN_FAILURE_WINDOW_SECONDS: String(WINDOW_SECONDS),
      TOKEN_ATTEMPTS_PER_MINUTE: '50',
    },
  });
  second = await SecondApi.start(portage);
  instances = [portage.baseUrl, second.baseUrl];
});
afterAll(async () => {
  await second.stop();
  await portage.stop();
});

const newAddress = () => `198.51.100.${nextAddress++}`;
const wellFormed = () => ({ APIKey: newApiKey().text });
const right = () => ({ APIKey: portage.apiKey });

/** A key with the prefix of another, a right checksum and a secret of its own. */
function guessAt(apiKey: string): { APIKey: string } {
  const prefix = apiKey.split('_')[1]!;
  const { text } = newApiKey(prefix);
  return { APIKey: text };
}

/** Asks the instances in turn. */
async function ask(times: number, input: () => object, address: string): Promise<TokenAnswer[]> {
  const answers: TokenAnswer[] = [];
  for (let time = 0; time < times; time += 1)
    answers.push(await askForToken(instances[time % instances.length]!, input(), address));
  return answers;
}

const outcomes = (answers: TokenAnswer[]) => [...new Set(answers.map(({ outcome }) => outcome))];

/** Runs while the database has lost some tables: whoever asks for them fails. */
async function without<T>(tables: string[], work: () => Promise<T>): Promise<T> {
  for (const table of tables) await portage.sql(`ALTER TABLE ${table} RENAME TO mislaid_${table}`);
  try {
    return await work();
  } finally {
    for (const table of tables) await portage.sql(`ALTER TABLE mislaid_${table} RENAME TO ${table}`);
  }
}

describe('an address that fails to obtain tokens', () => {
  it('is refused by all instances, even with a right key, and no other address is', async () => {
    const address = newAddress();
    expect(outcomes(await ask(FAILURES, wellFormed, address))).toEqual(['authentication_failed']);
    const refused = await ask(4, right, address);
    for (const { outcome, status, retryAfter } of refused) {
      expect([outcome, status]).toEqual(['throttled', 429]);
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(WINDOW_SECONDS);
    }
    expect(outcomes(await ask(2, right, newAddress()))).toEqual(['obtained']);
  });

  it('is answered again after the seconds that Retry-After names', async () => {
    const address = newAddress();
    await ask(FAILURES, wellFormed, address);
    const refused = await ask(2, right, address);
    expect(outcomes(refused)).toEqual(['throttled']);
    await sleep(Math.max(...refused.map(({ retryAfter }) => retryAfter!)) * 1_000);
    expect(outcomes(await ask(2, right, address))).toEqual(['obtained']);
  });

  it('costs the database nothing once it is refused', async () => {
    const address = newAddress();
    await ask(FAILURES, wellFormed, address);
    await ask(2, right, address);
    const refused = await without(['rate_limit', 'api_key'], async () => ask(20, right, address));
    expect(outcomes(refused)).toEqual(['throttled']);
  });

  it('is the same one wherever it is in its IPv6 network', async () => {
    const network = '2001:db8:77:1';
    for (let time = 0; time < FAILURES; time += 1)
      await askForToken(instances[0]!, wellFormed(), `${network}:${time}::1`);
    expect((await askForToken(instances[1]!, right(), `${network}:ffff::1`)).outcome).toBe('throttled');
    expect((await askForToken(instances[1]!, right(), '2001:db8:77:2::1')).outcome).toBe('obtained');
  });

  it.each<[string, () => object]>([
    ['refresh tokens', () => ({ refreshToken: newRefreshToken() })],
    ['keys that were revoked', () => ({ APIKey: revoked })],
  ])('is slowed down with %s too', async (_what, input) => {
    const address = newAddress();
    expect(outcomes(await ask(FAILURES, input, address))).toEqual(['authentication_failed']);
    expect(outcomes(await ask(2, input, address))).toEqual(['throttled']);
  });

  let revoked = '';
  beforeAll(async () => {
    revoked = (await portage.operator('api-key', 'issue', '--organisation', 'Supplier Ltd')).api_key;
    await portage.operator('api-key', 'revoke', revoked.split('_')[1]!);
  });
});

describe('a key whose checksum is wrong', () => {
  const malformed = () => ({
    APIKey: `${portage.apiKey.slice(0, -1)}${portage.apiKey.endsWith('a') ? 'b' : 'a'}`,
  });

  it('costs the database nothing', async () => {
    const answers = await without(['rate_limit', 'api_key'], async () =>
      ask(FAILURES, malformed, newAddress()),
    );
    expect(outcomes(answers)).toEqual(['authentication_failed']);
  });

  it('is slowed down by each instance, and does not hold up a right one', async () => {
    const address = newAddress();
    expect(outcomes(await ask(FAILURES * 2, malformed, address))).toEqual(['authentication_failed']);
    const refused = await ask(2, malformed, address);
    expect(refused.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['throttled', 429],
      ['throttled', 429],
    ]);
    expect(outcomes(await ask(2, right, address))).toEqual(['obtained']);
  });
});

describe('a key that is guessed at from many addresses', () => {
  it('is refused to addresses that have not used it, and goes on for those that have', async () => {
    const { api_key } = await portage.operator('api-key', 'issue', '--organisation', 'Supplier Ltd');
    const own = () => ({ APIKey: api_key as string });
    const user = newAddress();
    expect(outcomes(await ask(1, own, user))).toEqual(['obtained']);
    const guesses = await Promise.all(
      Array.from({ length: FAILURES_OF_KEY / 4 }, async () =>
        ask(4, () => guessAt(api_key as string), newAddress()),
      ),
    );
    expect(outcomes(guesses.flat())).toEqual(['authentication_failed']);
    expect(outcomes(await ask(2, own, newAddress()))).toEqual(['throttled']);
    expect(outcomes(await ask(4, own, user))).toEqual(['obtained']);
    expect(outcomes(await ask(2, right, newAddress()))).toEqual(['obtained']);
    const prefix = String(api_key).split('_')[1]!;
    // One of the two counted the last one that was allowed.
    const log = portage.api!.logTail(10_000) + second.endOfLog(10_000);
    expect(log.split(`The API key ${prefix} has too many failed attempts.`)).toHaveLength(2);
  });
});

describe('a busy supplier', () => {
  it('may obtain many tokens from one address, at once too', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => askForToken(instances[n % 2]!, right(), address)),
    );
    expect(outcomes(answers)).toEqual(['obtained']);
  });

  it('but not without end', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 80 }, async (_, n) => askForToken(instances[n % 2]!, right(), address)),
    );
    expect(answers.filter(({ outcome }) => outcome === 'obtained')).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });
});

it('several attempts in one request are several attempts', async () => {
  const address = newAddress();
  const aliases = Array.from({ length: 5 }, (_, n) => `a${n}: obtainPlatformToken(input: $input) { token }`);
  const query = `mutation ($input: ObtainPlatformTokenInput!) { ${aliases.join(' ')} }`;
  for (let request = 0; request < 10; request += 1) {
    const response = await fetch(`${instances[request % 2]!}/v1/graphql/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ query, variables: { input: right() } }),
    });
    const { data } = (await response.json()) as { data: object };
    expect(Object.keys(data)).toHaveLength(5);
  }
  expect(outcomes(await ask(2, right, address))).toEqual(['throttled']);
});

describe('while the shared counts are unavailable', () => {
  it.each<[string, (work: () => Promise<void>) => Promise<void>]>([
    ['their table is gone', async (work) => without(['rate_limit'], work)],
    ['their table is locked', async (work) => whileLocked('rate_limit', work)],
  ])('when %s, tokens are issued and each instance counts locally', async (_what, broken) => {
    await broken(async () => {
      expect(outcomes(await ask(4, right, newAddress()))).toEqual(['obtained']);
      const address = newAddress();
      expect(outcomes(await ask(FAILURES * 2, wellFormed, address))).toEqual(['authentication_failed']);
      expect(outcomes(await ask(2, right, address))).toEqual(['throttled']);
    });
    const saidSo = portage.api!.logTail(10_000).includes('This instance counts locally.');
    expect(saidSo).toBe(true);
    await sleep(1_100);
    const address = newAddress();
    await ask(FAILURES, wellFormed, address);
    expect(outcomes(await ask(2, right, address))).toEqual(['throttled']);
  });
});

/** Runs while another session holds a table and lets nobody in. */
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
