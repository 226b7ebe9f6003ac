import { DatabaseError } from 'pg';
import { QueryFailedError, TypeORMError } from 'typeorm';

/**
 * The database did not answer: the connection broke, or there was none in time. What was asked may or may not have
 * happened; every write of Portage is safe to repeat.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'unavailable';
}

/**
 * pg reports what the server said as a DatabaseError with a code, and everything about the connection as a plain
 * Error without one. Telling them apart by type keeps the messages out of any decision.
 */
export function translated(error: unknown): unknown {
  if (error instanceof QueryFailedError && !(error.driverError instanceof DatabaseError))
    return translated(error.driverError);
  if (error instanceof DatabaseError || error instanceof TypeORMError) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return error instanceof Error ? new DatabaseUnavailable(error.message, { cause: error }) : error;
}

/** What TypeORM answers, with its errors told apart as {@link translated} does. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw translated(error);
  }
}
