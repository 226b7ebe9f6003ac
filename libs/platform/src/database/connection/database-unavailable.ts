import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, TypeORMError } from 'typeorm';

/**
 * The database did not answer: a connection was lost, or none was available in time. The statement may or may not have
 * been executed; every write of Portage is safe to repeat.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'unavailable';
}

/** The server was made read-only, or is a standby: the connection goes on at another one (ServerClient). */
const READ_ONLY_TRANSACTION = '25006';

/**
 * Distinguishes an outage from all other errors, by type and never by message: pg reports an answer of the server as a
 * DatabaseError, and a failure of the connection as a plain Error. TypeORM wraps both, and releases the query runner
 * of a transaction whose connection was lost.
 *
 * @returns DatabaseUnavailable for an outage, otherwise `error` itself
 */
export function translateError(error: unknown): unknown {
  if (error instanceof QueryFailedError && !(error.driverError instanceof DatabaseError))
    return translateError(error.driverError);
  if (error instanceof QueryRunnerAlreadyReleasedError)
    return new DatabaseUnavailable('The connection of the transaction was lost.', { cause: error });
  const refusal: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (refusal instanceof DatabaseError && refusal.code === READ_ONLY_TRANSACTION)
    return new DatabaseUnavailable('The server of the connection accepts no writes.', { cause: error });
  if (error instanceof DatabaseError || error instanceof TypeORMError) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return error instanceof Error ? new DatabaseUnavailable(error.message, { cause: error }) : error;
}

/**
 * Awaits an answer of TypeORM.
 *
 * @throws its errors as {@link translateError} returns them
 */
export async function translateErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw translateError(error);
  }
}
