import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  AccountLookupsRepository,
  type LookupFindings,
  type LookupKind,
  type LookupQuestion,
} from '@portage/database';
import { isItemLevelError } from '../item-level-error';
import type { Lookups } from './lookups';

/** What the rules of one account ask about stored accounts, asked together with what the others in hand ask. */
@Injectable()
export class LookupBatches implements Lookups {
  private readonly asking: Batcher<LookupQuestion, LookupFindings[LookupKind][]>;

  constructor(stored: AccountLookupsRepository, @Inject(CONFIG) config: Config) {
    this.asking = new Batcher<LookupQuestion, LookupFindings[LookupKind][]>(
      async (questions) => stored.answer(questions),
      {
        maxSize: config.LOOKUP_BATCH_QUESTIONS,
        maxConcurrent: config.BATCHES_AT_ONCE,
        slowAfterMs: config.BATCH_SLOW_AFTER_MS,
        maxWeight: config.LOOKUP_BATCH_VALUES,
        weightOf: ({ values }) => values.length,
        retryIndividually: isItemLevelError,
      },
    );
  }

  async ask<Kind extends LookupKind>(question: LookupQuestion<Kind>): Promise<LookupFindings[Kind][]> {
    return (await this.asking.add(question)) as LookupFindings[Kind][];
  }
}
