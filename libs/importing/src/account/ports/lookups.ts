import type { LookupFindings, LookupKind, AccountLookup } from '@portage/database';

/** Searches stored accounts for values of one account, as the database rules need it. */
export abstract class Lookups {
  /** @returns the findings; a finding may occur repeatedly */
  abstract find<Kind extends LookupKind>(lookup: AccountLookup<Kind>): Promise<LookupFindings[Kind][]>;
}
