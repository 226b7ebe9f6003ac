import { cleanEnv, EnvMissingError } from 'envalid';
import { runningEmbeddedDatabase } from './embedded-database';
import { localSecret } from './local-secrets';
import { settings } from './settings';

/** Which process asks: each needs other variables in production. */
export type Part = 'api' | 'worker' | 'cli' | 'start';

type Settings = { [Name in keyof typeof settings]: ReturnType<typeof cleaned>[Name] };

/** The validated environment: every variable under its own name, read once at start. */
export type Config = Readonly<Omit<Settings, 'DATABASE_URL'>> & { readonly DATABASE_URL: string };

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

function cleaned(environment: NodeJS.ProcessEnv) {
  return cleanEnv(environment, settings, {
    reporter: ({ errors }) => {
      const problems = Object.entries(errors as Record<string, Error>).map(([variable, error]) => [
        variable,
        error instanceof EnvMissingError ? 'is missing' : error.message,
      ]);
      if (problems.length > 0) throw new ConfigError(Object.fromEntries(problems) as Record<string, string>);
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
  const config = { ...cleaned(given) } as Settings;
  const production = config.NODE_ENV === 'production';
  const problems: Record<string, string> = {};

  const databaseUrl =
    config.DATABASE_URL ??
    (production ? undefined : runningEmbeddedDatabase(config.PORTAGE_DIR)?.databaseUrl);
  if (!databaseUrl) {
    problems['DATABASE_URL'] = production
      ? 'is missing'
      : 'is missing and no embedded database is running: set it, or run npm start first';
  }
  if (part === 'api' && production && !config.TOKEN_SECRET) problems['TOKEN_SECRET'] = 'is missing';
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);

  const generated = (name: string) =>
    part === 'api' && !production ? localSecret(config.PORTAGE_DIR, name) : undefined;
  return Object.freeze({
    ...config,
    DATABASE_URL: databaseUrl as string,
    TOKEN_SECRET: config.TOKEN_SECRET ?? generated('token-secret'),
    BULL_BOARD_PASSWORD: config.BULL_BOARD_PASSWORD ?? generated('bull-board-password'),
  });
}
