import type { LookupFindings, LookupKind, AccountLookup } from '@portage/database';

/** Searches stored accounts for values of one account, as the database rules need it. */
export abstract class Lookups {
  /** @returns the findings; at most one for each value */
  abstract find<Kind extends LookupKind>(lookup: AccountLookup<Kind>): Promise<LookupFindings[Kind][]>;
}
