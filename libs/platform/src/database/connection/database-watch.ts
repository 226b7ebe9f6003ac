import type { Config } from '../../config/config';
import { parseDatabaseUrl } from '../../config/database-url';
import { ConnectionWatch } from '../../connections/connection-watch';

/** Time that the refusal of a statement that took too long may take to arrive. */
const STATEMENT_GRACE_MS = 5_000;

/** Closes connections whose statements get no answer; in any case after the time that a statement may take. */
export function databaseWatch(
  {
    DATABASE_URL,
    DATABASE_STATEMENT_TIMEOUT_MS,
  }: Pick<Config, 'DATABASE_URL' | 'DATABASE_STATEMENT_TIMEOUT_MS'>,
  report: (error: unknown) => void,
): ConnectionWatch {
  const limits = { maxSilenceMs: DATABASE_STATEMENT_TIMEOUT_MS + STATEMENT_GRACE_MS };
  return new ConnectionWatch(parseDatabaseUrl(DATABASE_URL), limits, report);
}
