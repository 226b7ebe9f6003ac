import type { Config } from '../../config/config';
import { SESSION_LIMITS } from '../../connections/session-limits';

type Settings = Readonly<Record<string, string | number>>;

/**
 * A session plans each prepared statement and each foreign-key check once. A plan that is made while its table is small
 * scans the table, and still does so when the table has a million rows. Every statement of Portage has an index.
 */
export const SESSION_SETTINGS: Settings = {
  timezone: 'UTC',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

/**
 * What a session behind a pooler has to bring with it. A pooler in transaction mode gives the sessions of others to a
 * connection, and accepts no settings from it. `npm run migrate` stores them with the role.
 */
export function roleSettings({
  DATABASE_STATEMENT_TIMEOUT_MS,
}: Pick<Config, 'DATABASE_STATEMENT_TIMEOUT_MS'>): Settings {
  return { ...SESSION_SETTINGS, ...SESSION_LIMITS, statement_timeout: DATABASE_STATEMENT_TIMEOUT_MS };
}
