import { ERROR_CODES, type ErrorCode } from '@portage/platform';

/** Codes of every operation: of the hooks before a route, and of faults. */
const OF_ALL: readonly ErrorCode[] = [
  'parse_error',
  'payload_too_large',
  'unsupported_media_type',
  'error',
  'unavailable',
];

/** Codes of every operation that requires an access token. */
const OF_TOKEN: readonly ErrorCode[] = [
  'not_authenticated',
  'authentication_failed',
  'token_expired',
  'throttled',
];

/** The codes of requests about an imported account. */
export const ACCOUNT_UPDATE_ERRORS: readonly ErrorCode[] = [
  'validation_error',
  'idempotency_key_reused',
  'quota_reached',
  'account_not_found',
  'import_supplier_migration_not_ongoing',
];

/** The codes of an operation of suppliers by their status: its own, and those of every operation. */
export function errorsByStatus(own: readonly ErrorCode[], isGuarded: boolean): Map<number, ErrorCode[]> {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of new Set([...OF_ALL, ...(isGuarded ? OF_TOKEN : []), ...own])) {
    const status = ERROR_CODES[code].status;
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return new Map([...codes].sort(([one], [other]) => one - other));
}
