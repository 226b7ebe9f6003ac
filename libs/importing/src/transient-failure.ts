import { DatabaseUnavailable } from '@portage/database';
import { DocumentStoreUnavailable } from '@portage/documents';

/** Classes of SQLSTATE that the same statement may not meet a second time. */
const TRANSIENT_CLASSES = [
  '08', // connection exception
  '53', // insufficient resources
  '57', // operator intervention: shutdown, cannot connect now, statement cancelled
  '58', // system error outside PostgreSQL
];
const TRANSIENT_STATES = new Set([
  '25006', // read-only transaction: the server is a standby just now
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

/** Whether trying again may help. What is not listed is not retried: a poison payload must fail, and fail alone. */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || error instanceof DocumentStoreUnavailable) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return false;
  return (
    TRANSIENT_STATES.has(code) || TRANSIENT_NETWORK.has(code) || TRANSIENT_CLASSES.includes(code.slice(0, 2))
  );
}
