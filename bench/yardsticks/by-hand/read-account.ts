import { type Account, type SchemaContext, validateAccount } from '@portage/account-schema';

const context: Omit<SchemaContext, 'now'> = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  timeZone: 'Europe/London',
  limits: { arrayItems: 10_000, nesting: 32, errors: 1_000 },
};

/** The account in its canonical form, by Portage's compiled rules; undefined where any of them is broken. */
export function readAccount(payload: unknown): Account | undefined {
  const read = validateAccount(payload, { ...context, now: new Date() });
  return read.ok ? read.value : undefined;
}
