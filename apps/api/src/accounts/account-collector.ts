import { Injectable } from '@nestjs/common';
import { identifierOf } from '@portage/account-schema/service';
import {
  parseAccountBody,
  type PostedAccount,
  ScheduleAccounts,
  type ScheduledAccount,
} from '@portage/imports';
import { Batcher, charactersOf, isLarge, JobCorrelation, Tracing } from '@portage/platform';
import type { Caller } from '@portage/tenants';

/** Accounts of one organisation that are scheduled together. Beyond this the cost of each no longer falls. */
const MAX_ACCOUNTS = 64;

/** Characters of their bodies, which bound the memory of one statement. */
const MAX_CHARACTERS = 4_000_000;

/** Batches of one organisation at the same time. A second one starts only if the first is slow or the next is full. */
const MAX_CONCURRENT_BATCHES = 2;

/** Longer than a batch takes without lock waits, short enough not to delay a request visibly. */
const SLOW_AFTER_MS = 50;

type Batch = Batcher<PostedAccount, PromiseSettledResult<ScheduledAccount>>;

/**
 * Gathers accounts that requests of one organisation post at the same time, so that they share a statement and a job. A
 * lone account is scheduled at once, and accounts that arrive meanwhile are the next batch. No organisation waits for
 * the accounts of another one.
 */
@Injectable()
export class AccountCollector {
  private readonly batches = new Map<number, Batch>();

  constructor(
    private readonly accounts: ScheduleAccounts,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Schedules an account.
   *
   * @throws PortageError with the codes of the contract, "Schedule an account"
   */
  async schedule(
    caller: Pick<Caller, 'organisationId' | 'actor'>,
    body: Record<string, unknown>,
    idempotencyKey?: string,
  ): Promise<ScheduledAccount> {
    const { traceparent } = this.tracing;
    const posted = { caller, body, request: { traceparent, correlation: JobCorrelation.active } };
    if (idempotencyKey !== undefined) return this.accounts.scheduleWithKey(posted, idempotencyKey);
    // A large account would delay the others of its batch.
    const [result] = isLarge(body)
      ? await this.accounts.schedule([posted])
      : [await this.batchOf(caller.organisationId).add(posted)];
    if (result?.status !== 'fulfilled') throw result?.reason;
    return result.value;
  }

  private batchOf(organisationId: number): Batch {
    const existing = this.batches.get(organisationId);
    if (existing) return existing;
    const created: Batch = new Batcher(async (posted) => this.accounts.schedule(posted), {
      maxSize: MAX_ACCOUNTS,
      maxConcurrent: MAX_CONCURRENT_BATCHES,
      slowAfterMs: SLOW_AFTER_MS,
      maxWeight: MAX_CHARACTERS,
      weightOf: ({ body }) => charactersOf(body),
      keyOf: ({ body }) => accountOf(body),
    });
    this.batches.set(organisationId, created);
    return created;
  }
}

/** The account of a body, as far as it can be told before validation: two requests for it do not share a batch. */
function accountOf(body: Record<string, unknown>): string {
  const { import_supplier: supplier, external_account_number: number } = parseAccountBody(body).payload;
  return `${identifierOf(supplier)} ${identifierOf(number)}`;
}
