import { cleanEnv, EnvMissingError } from 'envalid';
import { runningEmbeddedDatabase } from './embedded-database';
import { HashedSecret } from './hashed-secret';
import { localSecret } from './local-secrets';
import { settings } from './settings';

/** Which process asks: each needs other variables in production. */
export type Part = 'api' | 'worker' | 'cli' | 'start';

type Settings = { [Name in keyof typeof settings]: ReturnType<typeof cleaned>[Name] };
type Problems = Record<string, string>;

/** The validated environment: every variable under its own name, read once at start. */
export type Config = Readonly<Omit<Settings, 'DATABASE_URL' | 'GRAPHQL_INTROSPECTION'>> & {
  readonly DATABASE_URL: string;
  readonly GRAPHQL_INTROSPECTION: boolean;
};

/** The configuration is wrong. The message names each variable and never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: Readonly<Record<string, string>>) {
    super(
      ['The configuration is not usable:']
        .concat(Object.entries(problems).map(([variable, problem]) => `  ${variable}: ${problem}`))
        .join('\n'),
    );
  }
}

/** Notes what is wrong instead of throwing, so that everything that is wrong is told at once. */
function cleaned(environment: NodeJS.ProcessEnv, problems: Problems) {
  return cleanEnv(environment, settings, {
    reporter: ({ errors }) => {
      for (const [variable, error] of Object.entries(errors as Record<string, Error>))
        problems[variable] = error instanceof EnvMissingError ? 'is missing' : error.message;
    },
  });
}

/**
 * Reads and checks the whole environment. An empty variable counts as absent, so that `REDIS_URL=` switches
 * Redis off.
 *
 * @throws ConfigError naming every variable that is wrong or missing
 */
export function loadConfig(part: Part, environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems: Problems = {};
  const config = { ...cleaned(given, problems) } as Settings;
  const production = config.NODE_ENV === 'production';

  const databaseUrl =
    config.DATABASE_URL ??
    (production ? undefined : runningEmbeddedDatabase(config.PORTAGE_DIR)?.databaseUrl);
  if (!databaseUrl) {
    problems['DATABASE_URL'] ??= production
      ? 'is missing'
      : 'is missing and no embedded database is running: set it, or run npm start first';
  }
  if (part === 'api' && production && !config.TOKEN_SECRET) problems['TOKEN_SECRET'] ??= 'is missing';
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);

  const generated = (name: string, parts: Part[] = ['api']) =>
    parts.includes(part) && !production ? localSecret(config.PORTAGE_DIR, name) : undefined;
  const compared = (text: string | undefined) => (text === undefined ? undefined : new HashedSecret(text));
  return Object.freeze({
    ...config,
    DATABASE_URL: databaseUrl as string,
    GRAPHQL_INTROSPECTION: config.GRAPHQL_INTROSPECTION ?? !production,
    TOKEN_SECRET: config.TOKEN_SECRET ?? generated('token-secret'),
    BULL_BOARD_PASSWORD: config.BULL_BOARD_PASSWORD ?? compared(generated('bull-board-password')),
    METRICS_TOKEN: config.METRICS_TOKEN ?? compared(generated('metrics-token', ['api', 'worker'])),
  });
}
