import { type Config, ConfigError, loadConfig, type Part } from '@portage/platform';

/** The configuration of a program that has these settings, and a database. */
export function load(environment: NodeJS.ProcessEnv, part: Part = 'cli'): Config {
  return loadConfig(part, { DATABASE_URL: 'postgres://127.0.0.1/portage', ...environment });
}

/** What is wrong with settings, by their names. */
export function problemsOf(
  environment: NodeJS.ProcessEnv,
  part: Part = 'cli',
): Readonly<Record<string, string>> {
  try {
    load(environment, part);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return {};
}
