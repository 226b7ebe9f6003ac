import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import {
  AccountLookupsRepository,
  type LookupFindings,
  type LookupKind,
  type AccountLookup,
} from '@portage/database';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from '../batched/batch-policy';
import type { Lookups } from './database-rules';

/** Searches the stored accounts. Lookups of accounts that are checked concurrently share one statement. */
@Injectable()
export class StoredLookups implements Lookups {
  private readonly lookups: Batcher<AccountLookup, LookupFindings[LookupKind][]>;

  constructor(stored: AccountLookupsRepository, @Inject(BATCH_POLICY) policy: BatchPolicy) {
    this.lookups = new Batcher<AccountLookup, LookupFindings[LookupKind][]>(
      async (lookups) => stored.answer(lookups),
      {
        ...buildCommonLimits(policy),
        maxSize: policy.maxLookups,
        maxWeight: policy.maxLookupValues,
        weightOf: ({ values }) => values.length,
      },
    );
  }

  async find<Kind extends LookupKind>(lookup: AccountLookup<Kind>): Promise<LookupFindings[Kind][]> {
    return (await this.lookups.add(lookup)) as LookupFindings[Kind][];
  }
}
