import { cleanEnv, EnvMissingError } from 'envalid';
import { runningEmbeddedDatabase } from './embedded-database';
import { HashedSecret } from './hashed-secret';
import { localSecret } from './local-secrets';
import { settings } from './settings';

/** The kind of process that loads the configuration. Each kind requires other variables in production. */
export type Part = 'api' | 'worker' | 'cli' | 'migrate' | 'start';

type Settings = { [Name in keyof typeof settings]: ReturnType<typeof validate>[Name] };
type Problems = Record<string, string>;

/** The validated environment. Each variable keeps its name and is read once, at the start of the process. */
export type Config = Readonly<Omit<Settings, 'DATABASE_URL' | 'GRAPHQL_INTROSPECTION'>> & {
  readonly DATABASE_URL: string;
  readonly GRAPHQL_INTROSPECTION: boolean;
};

/** The configuration is invalid. The message names each invalid variable and contains no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: Readonly<Record<string, string>>) {
    super(
      ['The configuration is invalid:']
        .concat(Object.entries(problems).map(([variable, problem]) => `  ${variable}: ${problem}`))
        .join('\n'),
    );
  }
}

/** Collects the problems instead of throwing, so that the error reports all of them. */
function validate(environment: NodeJS.ProcessEnv, problems: Problems) {
  return cleanEnv(environment, settings, {
    reporter: ({ errors }) => {
      for (const [variable, error] of Object.entries(errors as Record<string, Error>))
        problems[variable] = error instanceof EnvMissingError ? 'is missing' : error.message;
    },
  });
}

/**
 * Reads and validates the environment. An empty variable counts as unset, so `REDIS_URL=` disables Redis.
 *
 * @throws ConfigError that names every invalid or missing variable
 */
export function loadConfig(part: Part, environment: NodeJS.ProcessEnv): Config {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems: Problems = {};
  const config = { ...validate(nonEmpty, problems) } as Settings;
  const isProduction = config.NODE_ENV === 'production';

  const embedded =
    config.DATABASE_URL !== undefined || isProduction
      ? undefined
      : runningEmbeddedDatabase(config.PORTAGE_DIR);
  const databaseUrl = config.DATABASE_URL ?? embedded?.databaseUrl;
  const migrates = part === 'migrate' || part === 'start';
  if (!databaseUrl) {
    problems['DATABASE_URL'] ??= isProduction
      ? 'is missing'
      : 'is missing and no embedded database is running: set it in .env or the environment, such as postgres://user:password@127.0.0.1:5432/portage, or run npm start first';
  }
  if (part === 'migrate' && isProduction && !config.MIGRATION_DATABASE_URL)
    problems['MIGRATION_DATABASE_URL'] ??=
      'is missing: set it to the role that owns the tables. The same value as DATABASE_URL keeps one role, which can change the audit';
  if (part === 'api' && isProduction && !config.TOKEN_SECRET) problems['TOKEN_SECRET'] ??= 'is missing';
  // Of programs that share their settings, only the API has the secret.
  if ((part === 'api' || part === 'start') && config.OPERATOR_OIDC_ISSUER !== undefined)
    for (const name of ['OPERATOR_OIDC_CLIENT_ID', 'OPERATOR_OIDC_CLIENT_SECRET'] as const)
      if (config[name] === undefined) problems[name] ??= 'is missing: OPERATOR_OIDC_ISSUER needs it';
  if (config.DIRECT_DATABASE_URL !== undefined && config.DATABASE_URL === undefined)
    problems['DIRECT_DATABASE_URL'] ??= 'needs DATABASE_URL';
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);

  const generated = (name: string, parts: Part[] = ['api']) =>
    parts.includes(part) && !isProduction ? localSecret(config.PORTAGE_DIR, name) : undefined;
  const compared = (text: string | undefined) => (text === undefined ? undefined : new HashedSecret(text));
  return Object.freeze({
    ...config,
    DATABASE_URL: databaseUrl as string,
    // Programs that do not migrate have no use for the owner's password.
    MIGRATION_DATABASE_URL: migrates
      ? (config.MIGRATION_DATABASE_URL ?? embedded?.migrationDatabaseUrl)
      : undefined,
    GRAPHQL_INTROSPECTION: config.GRAPHQL_INTROSPECTION ?? !isProduction,
    TOKEN_SECRET: config.TOKEN_SECRET ?? generated('token-secret'),
    METRICS_TOKEN: config.METRICS_TOKEN ?? compared(generated('metrics-token', ['api', 'worker'])),
    OPERATOR_SECRETS_KEY: config.OPERATOR_SECRETS_KEY ?? generated('operator-secrets-key'),
    WEBHOOK_SECRETS_KEY:
      config.WEBHOOK_SECRETS_KEY ?? generated('webhook-secrets-key', ['api', 'worker', 'cli']),
  });
}
