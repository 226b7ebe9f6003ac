import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { problemsOf as problemsOfSettings } from '@portage/testing/settings';
import { type Config, ConfigError, loadConfig, type Part } from './config';
import { announceEmbeddedDatabase, withdrawEmbeddedDatabase } from './embedded-database';
import { settings } from './settings';

const DATABASE_URL = 'postgres://portage:s3cret@db.example:5432/portage';
const TOKEN_SECRET = 'x'.repeat(32);

let directory: string;
beforeEach(() => {
  directory = newDirectory();
});

const load = (part: Part, environment: NodeJS.ProcessEnv = {}): Config =>
  loadConfig(part, { PORTAGE_DIR: directory, DATABASE_URL, ...environment });

const problemsOf = (part: Part, environment: NodeJS.ProcessEnv) =>
  problemsOfSettings({ PORTAGE_DIR: directory, DATABASE_URL, ...environment }, part);

describe('the configuration', () => {
  it('requires only the database', () => {
    expect(load('worker')).toMatchObject({
      NODE_ENV: 'development',
      API_HOST: '127.0.0.1',
      API_PORT: 3000,
      WORKER_PORT: 3001,
      WORKER_CONCURRENCY: 16,
      DATABASE_POOL: 10,
      DATABASE_URL,
      REDIS_URL: undefined,
      PLATFORM_TIMEZONE: 'UTC',
      OPERATOR_SESSION_IDLE_MINUTES: 30,
      OPERATOR_SESSION_HOURS: 12,
      MAX_BODY_BYTES: 10_485_760,
      MAX_ARRAY_ITEMS: 10_000,
      MAX_ERRORS: 1_000,
    });
  });

  it('is immutable', () => {
    expect(() => Object.assign(load('worker'), { API_PORT: 1 })).toThrow(TypeError);
  });

  it.each([
    ['API_PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['API_PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['API_PORT', '80.5', 'must be a whole number from 0 to 65535'],
    ['API_PORT', '0x50', 'must be a whole number from 0 to 65535'],
    ['API_PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['WORKER_CONCURRENCY', '0', 'must be a whole number from 1 to 500'],
    ['DATABASE_POOL', '1', 'must be a whole number from 2 to 200'],
    ['TOKEN_SECRET', 'short', 'must be at least 32 characters long'],
    ['OPERATOR_SECRETS_KEY', 'short', 'must be at least 32 characters long'],
    [
      'OPERATOR_OIDC_ISSUER',
      'http://login.example.com',
      'must be a URL that starts with https://, or with http:// and the name of this machine',
    ],
    ['METRICS_TOKEN', 'fifteen-letters', 'must be at least 16 characters of printable ASCII, without spaces'],
    [
      'METRICS_TOKEN',
      'long enough, but with spaces',
      'must be at least 16 characters of printable ASCII, without spaces',
    ],
    ['PLATFORM_TIMEZONE', 'Mars/Olympus', 'must be an IANA time zone such as UTC or Europe/London'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['NODE_ENV', 'prod', 'must be one of development, test, production'],
    ['LOG_REQUESTS', 'maybe', 'must be true or false'],
  ])('refuses %s=%s and describes the valid values', (variable, value, problem) => {
    expect(problemsOf('worker', { [variable]: value })).toEqual({ [variable]: problem });
  });

  it.each([
    ['API_PORT', '0', 0],
    ['API_PORT', '65535', 65_535],
    ['MAX_ARRAY_ITEMS', '1', 1],
    ['LOG_REQUESTS', 'false', false],
    ['LOG_REQUESTS', '0', false],
    ['LOG_REQUESTS', 'true', true],
    ['PLATFORM_TIMEZONE', 'Europe/London', 'Europe/London'],
  ])('parses %s=%s', (variable, value, expected) => {
    expect(load('worker', { [variable]: value })[variable as keyof Config]).toBe(expected);
  });

  it('reports all invalid and missing variables together', () => {
    const environment = {
      NODE_ENV: 'production',
      DATABASE_URL: '',
      API_PORT: 'x',
      REDIS_URL: 'cache',
      MAX_ERRORS: '0',
    };
    expect(Object.keys(problemsOf('api', environment)).sort()).toEqual([
      'API_PORT',
      'DATABASE_URL',
      'MAX_ERRORS',
      'REDIS_URL',
      'TOKEN_SECRET',
    ]);
    expect(() => load('api', environment)).toThrow(/API_PORT: must be .*\n/);
  });

  it.each(
    Object.keys(settings).filter(
      (variable) =>
        ![
          'PORTAGE_DIR',
          'PORTAGE_OPERATOR',
          'API_HOST',
          'WORKER_HOST',
          'OPERATOR_OIDC_CLIENT_ID',
          'OPERATOR_OIDC_ROLE_CLAIM',
        ].includes(variable),
    ),
  )('does not repeat the value of %s, which may be a secret', (variable) => {
    // Too short for a secret and invalid for all other variables.
    const problems = problemsOf('worker', { [variable]: 'hunter2' });
    expect(Object.keys(problems)).toEqual([variable]);
    expect(new ConfigError(problems).message).not.toContain('hunter2');
  });

  it('treats an empty variable as unset, so REDIS_URL= disables Redis', () => {
    expect(load('worker', { REDIS_URL: '', API_PORT: '', LOG_LEVEL: '' })).toMatchObject({
      REDIS_URL: undefined,
      API_PORT: 3000,
      LOG_LEVEL: 'info',
    });
  });
});

it.each(['PORTAGE_OPERATOR'])('refuses invisible characters in %s', (variable) => {
  for (const name of ['ada\u001b[2J', 'ada\n', 'ada\u202e', 'ada\u200b'])
    expect(problemsOf('cli', { [variable]: name })).toEqual({
      [variable]:
        'must have 1 to 64 characters, none of them a control, bidirectional or zero-width character',
    });
});

it('OPERATOR_OIDC_ISSUER needs the client id and the client secret', () => {
  const issuer = { OPERATOR_OIDC_ISSUER: 'https://login.example.com/realms/staff' };
  for (const part of ['api', 'start'] as const)
    expect(Object.keys(problemsOf(part, issuer))).toEqual([
      'OPERATOR_OIDC_CLIENT_ID',
      'OPERATOR_OIDC_CLIENT_SECRET',
    ]);
  const client = { OPERATOR_OIDC_CLIENT_ID: 'portage', OPERATOR_OIDC_CLIENT_SECRET: 'a-client-secret' };
  expect(problemsOf('api', { ...issuer, ...client })).toEqual({});
});

it.each(['worker', 'cli', 'migrate'] as const)(
  'a program without sign-in needs no client secret: %s',
  (part) => {
    const settings = {
      OPERATOR_OIDC_ISSUER: 'https://login.example.com',
      OPERATOR_OIDC_CLIENT_ID: 'portage',
    };
    expect(problemsOf(part, settings)).toEqual({});
  },
);

it('DIRECT_DATABASE_URL needs DATABASE_URL', () => {
  const direct = { DIRECT_DATABASE_URL: DATABASE_URL };
  expect(problemsOf('cli', direct)).toEqual({});
  expect(problemsOf('cli', { ...direct, DATABASE_URL: '' })).toMatchObject({
    DIRECT_DATABASE_URL: 'needs DATABASE_URL',
  });
});

describe('MIGRATION_DATABASE_URL', () => {
  const MIGRATION_DATABASE_URL = 'postgres://owner:s3cret@db.example:5432/portage';

  it('reaches only the programs that migrate', () => {
    for (const part of ['migrate', 'start'] as const)
      expect(load(part, { MIGRATION_DATABASE_URL })).toMatchObject({ DATABASE_URL, MIGRATION_DATABASE_URL });
    for (const part of ['api', 'worker', 'cli'] as const)
      expect(load(part, { MIGRATION_DATABASE_URL }).MIGRATION_DATABASE_URL).toBeUndefined();
  });

  it('is that of the running embedded database unless DATABASE_URL is set', () => {
    const announced = { databaseUrl: DATABASE_URL, migrationDatabaseUrl: MIGRATION_DATABASE_URL };
    announceEmbeddedDatabase(directory, { ...announced, pid: process.pid });
    expect(load('migrate', { DATABASE_URL: '' })).toMatchObject({ DATABASE_URL, MIGRATION_DATABASE_URL });
    expect(load('migrate').MIGRATION_DATABASE_URL).toBeUndefined();
  });
});

describe('the configuration in production', () => {
  const production = { NODE_ENV: 'production' };

  it.each([
    ['api', { DATABASE_URL: '' }, ['DATABASE_URL', 'TOKEN_SECRET']],
    ['api', {}, ['TOKEN_SECRET']],
    ['worker', { DATABASE_URL: '' }, ['DATABASE_URL']],
    ['worker', {}, []],
    ['cli', { DATABASE_URL: '' }, ['DATABASE_URL']],
    ['cli', {}, []],
    ['migrate', {}, ['MIGRATION_DATABASE_URL']],
    ['migrate', { MIGRATION_DATABASE_URL: DATABASE_URL }, []],
  ] as const)('the %s with %j is missing %j', (part, environment, missing) => {
    expect(Object.keys(problemsOf(part, { ...production, ...environment }))).toEqual(missing);
  });

  it('no secret is generated: second factors need a key and the metrics need a token', () => {
    for (const part of ['api', 'worker'] as const)
      expect(load(part, { ...production, TOKEN_SECRET })).toMatchObject({
        TOKEN_SECRET,
        OPERATOR_SECRETS_KEY: undefined,
        METRICS_TOKEN: undefined,
        WEBHOOK_SECRETS_KEY: undefined,
      });
  });

  it.each([
    ['all', 'must be addresses or networks'],
    ['10.0.0.0/0', 'must be addresses or networks'],
    ['10.0.0.0/33', 'must be addresses or networks'],
    ['10.0.0.0/8, fe80::%eth0', 'must be addresses or networks'],
  ])('WEBHOOK_ALLOWED_NETWORKS=%s is refused', (WEBHOOK_ALLOWED_NETWORKS, problem) => {
    expect(
      problemsOf('worker', { ...production, WEBHOOK_ALLOWED_NETWORKS })['WEBHOOK_ALLOWED_NETWORKS'],
    ).toContain(problem);
  });

  it('GraphQL introspection is disabled by default', () => {
    const introspection = (environment: NodeJS.ProcessEnv) =>
      load('api', { TOKEN_SECRET, ...environment }).GRAPHQL_INTROSPECTION;
    expect(introspection(production)).toBe(false);
    expect(introspection({ ...production, GRAPHQL_INTROSPECTION: 'true' })).toBe(true);
    expect(introspection({})).toBe(true);
    expect(introspection({ GRAPHQL_INTROSPECTION: 'false' })).toBe(false);
  });

  it('a running embedded database is not used', () => {
    announceEmbeddedDatabase(directory, {
      databaseUrl: DATABASE_URL,
      migrationDatabaseUrl: DATABASE_URL,
      pid: process.pid,
    });
    expect(Object.keys(problemsOf('cli', { ...production, DATABASE_URL: '' }))).toEqual(['DATABASE_URL']);
  });
});

describe('outside production', () => {
  const readSecret = (name: string) => readFileSync(join(directory, name), 'utf8');

  it('the secrets of the API are generated once and readable by their owner only', () => {
    const first = load('api');
    const again = load('api');
    expect(first.TOKEN_SECRET).toMatch(/^[\w-]{32}$/);
    const names = ['token-secret', 'operator-secrets-key', 'metrics-token'];
    expect(new Set(names.map(readSecret)).size).toBe(3);
    expect(readSecret('token-secret')).toBe(first.TOKEN_SECRET);
    for (const config of [first, again]) {
      expect(config.TOKEN_SECRET).toBe(first.TOKEN_SECRET);
      expect(config.OPERATOR_SECRETS_KEY).toBe(readSecret('operator-secrets-key'));
      expect(config.METRICS_TOKEN?.matches(readSecret('metrics-token'))).toBe(true);
    }
    for (const name of names) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });

  it('a configured secret is used instead of a generated one', () => {
    const configured = {
      TOKEN_SECRET,
      OPERATOR_SECRETS_KEY: 'x'.repeat(32),
      METRICS_TOKEN: 'sixteen-letters.',
    };
    const config = load('api', configured);
    expect(config.TOKEN_SECRET).toBe(TOKEN_SECRET);
    expect(config.OPERATOR_SECRETS_KEY).toBe('x'.repeat(32));
    expect(config.METRICS_TOKEN?.matches('sixteen-letters.')).toBe(true);
  });

  it('API, worker and command line have the same key for the secrets of webhooks', () => {
    const { WEBHOOK_SECRETS_KEY } = load('api');
    expect(WEBHOOK_SECRETS_KEY).toMatch(/^[\w-]{32}$/);
    for (const part of ['worker', 'cli'] as const)
      expect(load(part).WEBHOOK_SECRETS_KEY).toBe(WEBHOOK_SECRETS_KEY);
  });

  it('only the API has secrets, except the metrics token, which the worker has too', () => {
    const worker = load('worker');
    expect(worker).toMatchObject({ TOKEN_SECRET: undefined, OPERATOR_SECRETS_KEY: undefined });
    expect(worker.METRICS_TOKEN?.matches(readSecret('metrics-token'))).toBe(true);
    expect(load('cli').METRICS_TOKEN).toBeUndefined();
  });

  it('a running embedded database is used', () => {
    const databaseUrl = 'postgres://portage:p@127.0.0.1:54329/portage';
    announceEmbeddedDatabase(directory, { databaseUrl, migrationDatabaseUrl: databaseUrl, pid: process.pid });
    expect(load('cli', { DATABASE_URL: '' }).DATABASE_URL).toBe(databaseUrl);
    expect(load('cli').DATABASE_URL).toBe(DATABASE_URL);
    expect(statSync(join(directory, 'embedded-database.json')).mode & 0o777).toBe(0o600);
    withdrawEmbeddedDatabase(directory);
    expect(problemsOf('cli', { DATABASE_URL: '' })).toEqual({
      DATABASE_URL:
        'is missing and no embedded database is running: set it in .env or the environment, such as postgres://user:password@127.0.0.1:5432/portage, or run npm start first',
    });
  });

  it('an embedded database whose process has ended is ignored', () => {
    // Higher than the process ids of all supported systems.
    announceEmbeddedDatabase(directory, {
      databaseUrl: DATABASE_URL,
      migrationDatabaseUrl: DATABASE_URL,
      pid: 0x7fff_fffe,
    });
    expect(Object.keys(problemsOf('cli', { DATABASE_URL: '' }))).toEqual(['DATABASE_URL']);
  });
});
