import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import {
  AccountLookupsRepository,
  type LookupFindings,
  type LookupKind,
  type AccountLookup,
} from '@portage/database';
import { Lookups } from '../account/ports/lookups';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/** Coalesces the lookups of accounts that are checked concurrently into one statement. */
@Injectable()
export class BatchedLookups extends Lookups {
  private readonly lookups: Batcher<AccountLookup, LookupFindings[LookupKind][]>;

  constructor(stored: AccountLookupsRepository, @Inject(BATCH_POLICY) policy: BatchPolicy) {
    super();
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

  override async find<Kind extends LookupKind>(lookup: AccountLookup<Kind>): Promise<LookupFindings[Kind][]> {
    return (await this.lookups.add(lookup)) as LookupFindings[Kind][];
  }
}
