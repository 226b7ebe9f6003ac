import { DatabaseError } from 'pg';

/** The server that answered is going down, starting, or a standby. Another connection may reach one that works. */
const UNAVAILABLE_CLASSES = ['08', '57'];
const QUERY_CANCELED = '57014';
const READ_ONLY_TRANSACTION = '25006';

/**
 * True if a statement failed with its connection, so that the same statement may succeed on another one: `pg` reports an
 * answer of the server as a DatabaseError, and a failure of the connection as a plain Error. Errors of BullMQ about the
 * state of a job have a number as their code.
 */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    const { code = '' } = error;
    return (
      code === READ_ONLY_TRANSACTION ||
      (code !== QUERY_CANCELED && UNAVAILABLE_CLASSES.includes(code.slice(0, 2)))
    );
  }
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  return !('code' in error && typeof error.code === 'number');
}
