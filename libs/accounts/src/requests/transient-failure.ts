import { DatabaseUnavailable, DocumentStoreUnavailable } from '@portage/platform';

/** SQLSTATE classes that are temporary: the same statement may succeed later. */
const TRANSIENT_CLASSES = [
  '08', // connection exception
  '53', // insufficient resources
  '57', // operator intervention: shutdown, cannot connect now, statement cancelled
  '58', // system error outside PostgreSQL
];
const TRANSIENT_STATES = new Set([
  '25006', // read-only transaction: the server is a standby at the moment
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
]);
const TRANSIENT_NETWORK = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * True if a retry may succeed. Errors that are not listed here are not retried, so that a poison payload fails at once
 * and does not hold up other jobs.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || error instanceof DocumentStoreUnavailable) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return false;
  return (
    TRANSIENT_STATES.has(code) || TRANSIENT_NETWORK.has(code) || TRANSIENT_CLASSES.includes(code.slice(0, 2))
  );
}
