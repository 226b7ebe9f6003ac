import { Inject, Injectable } from '@nestjs/common';
import { Batches } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  AccountLookupsRepository,
  type LookupFindings,
  type LookupKind,
  type LookupQuestion,
} from '@portage/database';
import { mayBeOneItems } from '../may-be-one-items';
import type { Lookups } from './lookups';

/** What the rules of one account ask about stored accounts, asked together with what the others in hand ask. */
@Injectable()
export class LookupBatches implements Lookups {
  private readonly asking: Batches<LookupQuestion, LookupFindings[LookupKind][]>;

  constructor(stored: AccountLookupsRepository, @Inject(CONFIG) config: Config) {
    this.asking = new Batches<LookupQuestion, LookupFindings[LookupKind][]>(
      async (questions) => stored.answer(questions),
      {
        most: config.LOOKUP_BATCH_QUESTIONS,
        atOnce: config.BATCHES_AT_ONCE,
        slowAfterMs: config.BATCH_SLOW_AFTER_MS,
        mostWeight: config.LOOKUP_BATCH_VALUES,
        weightOf: ({ values }) => values.length,
        fallsApart: mayBeOneItems,
      },
    );
  }

  async ask<Kind extends LookupKind>(question: LookupQuestion<Kind>): Promise<LookupFindings[Kind][]> {
    return (await this.asking.add(question)) as LookupFindings[Kind][];
  }
}
