import { Injectable } from '@nestjs/common';
import {
  type AccountLookup,
  AccountLookupsRepository,
  type LookupFindings,
  type LookupKind,
} from '@portage/accounts';
import { Batcher, READ_LIMITS } from '@portage/platform';
import type { Lookups } from './database-rules';

/** Values (references, e-mail addresses ...) in one statement. A lookup with more has a statement of its own. */
const MAX_VALUES = 10_000;

/** Searches the stored accounts. Lookups of accounts that are checked concurrently share one statement. */
@Injectable()
export class StoredLookups implements Lookups {
  private readonly lookups: Batcher<AccountLookup, LookupFindings[LookupKind][]>;

  constructor(stored: AccountLookupsRepository) {
    this.lookups = new Batcher<AccountLookup, LookupFindings[LookupKind][]>(
      async (lookups) => stored.answer(lookups),
      {
        ...READ_LIMITS,
        maxWeight: MAX_VALUES,
        weightOf: ({ values }) => values.length,
      },
    );
  }

  async find<Kind extends LookupKind>(lookup: AccountLookup<Kind>): Promise<LookupFindings[Kind][]> {
    return (await this.lookups.add(lookup)) as LookupFindings[Kind][];
  }
}
