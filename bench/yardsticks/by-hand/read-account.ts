import { type Account, type SchemaContext, validateAccount } from '@portage/account-schema';

/** How accounts of a supplier are read for whom nothing special has been set up. */
export const coreContext: Omit<SchemaContext, 'now'> = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  timeZone: 'Europe/London',
  limits: { arrayItems: 10_000, nesting: 32, errors: 1_000 },
};

/** The account in its canonical form, by Portage's compiled rules; undefined where any of them is broken. */
export function readAccount(payload: unknown): Account | undefined {
  const read = validateAccount(payload, { ...coreContext, now: new Date() });
  return read.ok ? read.value : undefined;
}
