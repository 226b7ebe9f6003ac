import { type Account, DEFAULT_LIMITS, type SchemaContext, validateAccount } from '@portage/account-schema';

/** The schema context of a supplier with default settings. */
export const coreContext: Omit<SchemaContext, 'now'> = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  timeZone: 'Europe/London',
  limits: DEFAULT_LIMITS,
};

/** Validates an account with the compiled rules of Portage. Returns undefined if it is invalid. */
export function readAccount(payload: unknown): Account | undefined {
  const read = validateAccount(payload, { ...coreContext, now: new Date() });
  return read.ok ? read.value : undefined;
}
