import type { LookupFindings, LookupKind, LookupQuestion } from '@portage/database';

/** Searches stored accounts for values of one account, as the database rules need it. */
export abstract class Lookups {
  /** @returns the findings; a finding may occur repeatedly */
  abstract find<Kind extends LookupKind>(lookup: LookupQuestion<Kind>): Promise<LookupFindings[Kind][]>;
}
