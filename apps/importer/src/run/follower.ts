import { type Clock, type FieldError, Unreachable } from '@portage/client';
import type { DataImportApi } from '../api/data-import-api';
import type { BookAccount } from '../book/book-line';
import { type LineStates, noCheckpoint } from './checkpoint';
import type { ErrorList } from './error-file';
import { FeedWatch, type ProcessEnd } from './feed-watch';
import { forEachConcurrently } from './for-each-concurrently';
import { Outstanding, type OutstandingAccount } from './outstanding';
import type { Tally } from './tally';

/** Without the feed: the pause between polls grows from the minimum to the maximum while no process ends. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;

/** With the feed: how often it is checked whether all have ended, and how often some accounts are asked for all the same. */
const FEED_PAUSE_MS = 100;
const FEED_POLL_MS = 10_000;

/** Ends that the feed has shown before their accounts were known to be accepted. Beyond it the oldest are forgotten. */
const MAX_EARLY = 100_000;

/**
 * Follows the import processes of accepted accounts until all have ended, and records their results: with the feed of
 * events. Without the feed, as with services of earlier releases, it asks for each account.
 */
export class Follower {
  private readonly outstanding: Outstanding;
  /** The outstanding accounts by supplier and account number. */
  private readonly open = new Map<string, OutstandingAccount>();
  /** Accounts that may have ended before their feed was followed, or before they were added. */
  private toAsk: OutstandingAccount[] = [];
  private readonly early = new Set<string>();
  private readonly suppliers = new Set<string>();
  private readonly feed: FeedWatch;
  private isAdding = true;
  private lastChangeAt = 0;
  private lastPollAt = 0;

  constructor(
    private readonly api: DataImportApi,
    private readonly tally: Tally,
    private readonly errors: ErrorList,
    private readonly clock: Clock,
    random: () => number,
    private readonly checkpoint: LineStates = noCheckpoint,
  ) {
    this.outstanding = new Outstanding(random);
    this.feed = new FeedWatch(api, async (end) => this.recordEvent(end));
  }

  /** Call before an account of the supplier is sent, so that its end is seen. */
  async prepare(supplier: string): Promise<void> {
    await this.feed.begin(supplier);
  }

  /** @param isSentBefore true if an earlier run has sent the account, so that it may have ended */
  add(
    { line, supplier, externalAccountNumber, externalIdentifier }: BookAccount,
    isSentBefore: boolean,
  ): void {
    // The account's body is not stored: it would keep the whole book in memory.
    const account = { line, supplier, externalAccountNumber, externalIdentifier };
    const key = keyOf(account);
    this.outstanding.add(account);
    this.open.set(key, account);
    this.suppliers.add(supplier);
    if (this.early.delete(key) || isSentBefore) this.toAsk.push(account);
    this.lastChangeAt = this.clock.now();
  }

  /** Call after the last `add`; the follower then ends when no account is outstanding. */
  finishAdding(): void {
    this.isAdding = false;
    this.early.clear();
    this.lastChangeAt = this.clock.now();
  }

  /**
   * Follows until no account is outstanding, no process has ended for `waitMs`, or `stop` is aborted. While the book is
   * being sent, it asks with a quarter of the concurrency, so that sending has priority.
   */
  async follow(concurrency: number, waitMs: number, stop: AbortSignal): Promise<void> {
    try {
      await this.followAll(concurrency, waitMs, stop);
    } finally {
      await this.feed.end();
    }
  }

  private async followAll(concurrency: number, waitMs: number, stop: AbortSignal): Promise<void> {
    let pause = MIN_PAUSE_MS;
    while (!stop.aborted && (this.isAdding || this.outstanding.size > 0)) {
      const width = this.isAdding ? Math.ceil(concurrency / 4) : concurrency;
      await this.askOnce(width);
      if (this.isFollowingAll()) {
        if (this.clock.now() - this.lastPollAt >= FEED_POLL_MS) await this.poll(width);
        pause = FEED_PAUSE_MS;
      } else {
        const { polled, ended, isFrontPending } = await this.poll(width);
        if (ended > 0) {
          pause = MIN_PAUSE_MS;
          if (!isFrontPending) continue;
        } else if (polled > 0) pause = Math.min(MAX_PAUSE_MS, pause * 1.5);
      }
      if (!this.isAdding && this.clock.now() - this.lastChangeAt >= waitMs) return;
      if (this.isAdding || this.outstanding.size > 0) await this.clock.sleep(pause, stop);
    }
  }

  /** Adds the outstanding accounts to the error list. */
  reportUnfinished(): void {
    for (const account of this.outstanding) {
      const detail =
        'Accepted, but its process had not ended when the tool stopped waiting. The process continues.';
      this.errors.add(account, 'unfinished', { code: 'unfinished', attr: '', detail });
    }
  }

  private isFollowingAll(): boolean {
    return [...this.suppliers].every((supplier) => this.feed.isFollowing(supplier));
  }

  /** Asks once for the accounts that may have ended already. The feed shows the end of the others. */
  private async askOnce(width: number): Promise<void> {
    const accounts = this.toAsk.splice(0, Math.max(width, 1) * 8);
    for (const supplier of new Set(accounts.map((account) => account.supplier)))
      await this.feed.begin(supplier);
    await this.findEnded(accounts, width);
  }

  private async poll(width: number): Promise<{ polled: number; ended: number; isFrontPending: boolean }> {
    this.lastPollAt = this.clock.now();
    return this.outstanding.pollNext(width, this.clock.now(), (accounts) => this.findEnded(accounts, width));
  }

  private async findEnded(accounts: OutstandingAccount[], width: number): Promise<Set<OutstandingAccount>> {
    const ended = new Set<OutstandingAccount>();
    await forEachConcurrently(accounts, width, async (account) => {
      if (await this.hasEnded(account)) ended.add(account);
    });
    return ended;
  }

  private async recordEvent(end: ProcessEnd): Promise<void> {
    const key = keyOf(end);
    const account = this.open.get(key);
    if (account) await this.settle(account, end.status, end.error);
    else if (this.isAdding) {
      this.early.add(key);
      for (const oldest of this.early) {
        if (this.early.size <= MAX_EARLY) break;
        this.early.delete(oldest);
      }
    }
  }

  private async hasEnded(account: OutstandingAccount): Promise<boolean> {
    try {
      const process = await this.api.status(account.supplier, account.externalIdentifier);
      if (process?.status === 'PENDING' || process?.status === 'IN_PROGRESS') return false;
      await this.settle(account, process?.status, process?.error);
      return true;
    } catch (failure) {
      // The process continues even if its status cannot be read. Poll it again, up to the overall limit.
      if (failure instanceof Unreachable) return false;
      throw failure;
    }
  }

  /** Records the end of an account, once. @param status undefined if the service does not know the account */
  private async settle(
    account: OutstandingAccount,
    status: string | undefined,
    reason: FieldError | undefined,
  ): Promise<void> {
    if (!this.open.delete(keyOf(account))) return;
    this.outstanding.end(account);
    this.lastChangeAt = this.clock.now();
    switch (status) {
      case 'PROCESSED':
        this.tally.recordProcessed();
        await this.checkpoint.record('book', account.line, 'done');
        return;
      case 'DRY_RUN_SUCCEEDED':
        this.tally.dryRunSucceeded += 1;
        await this.checkpoint.record('book', account.line, 'done');
        return;
      case undefined:
        await this.reportErrored(
          account,
          error('not_found', 'The service accepted the account but does not know its process.'),
        );
        return;
      case 'CANCELLED':
        await this.reportErrored(account, error('cancelled', 'The process was cancelled before it started.'));
        return;
      default:
        await this.reportErrored(
          account,
          reason ?? error('unknown', `The process ended with status ${status}.`),
        );
    }
  }

  private async reportErrored(account: OutstandingAccount, reason: FieldError): Promise<void> {
    this.tally.recordErrored(reason.code);
    this.errors.add(account, 'errored', reason);
    // A resumed run sends the account again.
    await this.checkpoint.record('book', account.line, 'open');
  }
}

function error(code: string, detail: string): FieldError {
  return { code, attr: '', detail };
}

function keyOf({
  supplier,
  externalAccountNumber,
}: Pick<OutstandingAccount, 'supplier' | 'externalAccountNumber'>): string {
  return `${supplier}\n${externalAccountNumber}`;
}
