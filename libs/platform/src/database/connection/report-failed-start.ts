import { ConfigError } from '../../config/config';
import { DatabaseUnavailable } from './database-unavailable';
import { Logger } from '../../observability/logger';

/** Writes one line that says why a program cannot start: to the log, or to the terminal for settings that are not valid. */
export function reportFailedStart(program: string, error: unknown): void {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    return;
  }
  const reason = error instanceof DatabaseUnavailable ? ': the database cannot be reached' : '';
  new Logger({ LOG_LEVEL: 'error' }).error(`The ${program} cannot start${reason}.`, { error });
}
