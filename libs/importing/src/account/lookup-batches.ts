import { Inject, Injectable } from '@nestjs/common';
import { type BatchLimits, Batches } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  AccountLookupsRepository,
  type LookupQuestion,
  type StoredChargedPeriod,
  type StoredReference,
  type StoredRoles,
} from '@portage/database';
import { mayBeOneItems } from '../may-be-one-items';

/** What the rules of one account ask about stored accounts, asked together with those of the others in hand. */
@Injectable()
export class LookupBatches {
  private readonly cais: Batches<LookupQuestion<string>, string[]>;
  private readonly references: Batches<LookupQuestion<StoredReference>, number[]>;
  private readonly roles: Batches<LookupQuestion<string>, StoredRoles[]>;
  private readonly periods: Batches<LookupQuestion<string>, StoredChargedPeriod[]>;

  constructor(stored: AccountLookupsRepository, @Inject(CONFIG) config: Config) {
    const limits: BatchLimits<{ values: readonly unknown[] }> = {
      most: config.LOOKUP_BATCH_ACCOUNTS,
      atOnce: config.BATCHES_AT_ONCE,
      slowAfterMs: config.BATCH_SLOW_AFTER_MS,
      mostWeight: config.LOOKUP_BATCH_VALUES,
      weightOf: ({ values }) => values.length,
      fallsApart: mayBeOneItems,
    };
    this.cais = new Batches<LookupQuestion<string>, string[]>(
      async (questions) => stored.caisReferencesInUse(questions),
      limits,
    );
    this.references = new Batches<LookupQuestion<StoredReference>, number[]>(
      async (questions) => stored.accountReferencesInUse(questions),
      limits,
    );
    this.roles = new Batches<LookupQuestion<string>, StoredRoles[]>(
      async (questions) => stored.rolesHeldBy(questions),
      limits,
    );
    this.periods = new Batches<LookupQuestion<string>, StoredChargedPeriod[]>(
      async (questions) => stored.chargedPeriods(questions),
      limits,
    );
  }

  async caisReferencesInUse(question: LookupQuestion<string>): Promise<string[]> {
    return this.cais.add(question);
  }

  async accountReferencesInUse(question: LookupQuestion<StoredReference>): Promise<number[]> {
    return this.references.add(question);
  }

  async rolesHeldBy(question: LookupQuestion<string>): Promise<StoredRoles[]> {
    return this.roles.add(question);
  }

  async chargedPeriods(question: LookupQuestion<string>): Promise<StoredChargedPeriod[]> {
    return this.periods.add(question);
  }
}
