import { type Clock, type FieldError, Unreachable } from '@portage/client';
import { type DataImportApi } from '../api/data-import-api';
import { type BookAccount } from '../book/book-line';
import { type LineStates, noCheckpoint } from './checkpoint';
import { type ErrorList } from './error-file';
import { forEachConcurrently } from './for-each-concurrently';
import { Outstanding, type OutstandingAccount } from './outstanding';
import { type Tally } from './tally';

/** The pause between polls grows from the minimum to the maximum while no process ends. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;

/** Polls the import processes of accepted accounts until all have ended, and records their results. */
export class Follower {
  private readonly outstanding: Outstanding;
  private isAdding = true;
  private lastChangeAt = 0;

  constructor(
    private readonly api: DataImportApi,
    private readonly tally: Tally,
    private readonly errors: ErrorList,
    private readonly clock: Clock,
    random: () => number,
    private readonly checkpoint: LineStates = noCheckpoint,
  ) {
    this.outstanding = new Outstanding(random);
  }

  add({ line, supplier, externalAccountNumber, externalIdentifier }: BookAccount): void {
    // The account's body is not stored: it would keep the whole book in memory.
    this.outstanding.add({ line, supplier, externalAccountNumber, externalIdentifier });
    this.lastChangeAt = this.clock.now();
  }

  /** Call after the last `add`; the follower then ends when no account is outstanding. */
  finishAdding(): void {
    this.isAdding = false;
    this.lastChangeAt = this.clock.now();
  }

  /**
   * Polls until no account is outstanding, no process has ended for `waitMs`, or `stop` is aborted. While the book is
   * being sent, it uses a quarter of the concurrency, so that sending has priority.
   */
  async follow(concurrency: number, waitMs: number, stop: AbortSignal): Promise<void> {
    let pause = MIN_PAUSE_MS;
    while (!stop.aborted && (this.isAdding || this.outstanding.size > 0)) {
      const width = this.isAdding ? Math.ceil(concurrency / 4) : concurrency;
      const { polled, ended, isFrontPending } = await this.outstanding.pollNext(
        width,
        this.clock.now(),
        (accounts) => this.findEnded(accounts, width),
      );
      if (ended > 0) {
        this.lastChangeAt = this.clock.now();
        pause = MIN_PAUSE_MS;
        if (!isFrontPending) continue;
      } else if (polled > 0) {
        pause = Math.min(MAX_PAUSE_MS, pause * 1.5);
      }
      if (!this.isAdding && this.clock.now() - this.lastChangeAt >= waitMs) return;
      await this.clock.sleep(pause, stop);
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

  private async findEnded(accounts: OutstandingAccount[], width: number): Promise<Set<OutstandingAccount>> {
    const ended = new Set<OutstandingAccount>();
    await forEachConcurrently(accounts, width, async (account) => {
      if (await this.hasEnded(account)) ended.add(account);
    });
    return ended;
  }

  private async hasEnded(account: OutstandingAccount): Promise<boolean> {
    try {
      const process = await this.api.status(account.supplier, account.externalIdentifier);
      switch (process?.status) {
        case 'PENDING':
        case 'IN_PROGRESS':
          return false;
        case 'PROCESSED':
          this.tally.recordProcessed();
          await this.checkpoint.record('book', account.line, 'done');
          return true;
        case 'DRY_RUN_SUCCEEDED':
          this.tally.dryRunSucceeded += 1;
          await this.checkpoint.record('book', account.line, 'done');
          return true;
        case undefined:
          await this.reportErrored(
            account,
            error('not_found', 'The service accepted the account but does not know its process.'),
          );
          return true;
        case 'CANCELLED':
          await this.reportErrored(
            account,
            error('cancelled', 'The process was cancelled before it started.'),
          );
          return true;
        default:
          await this.reportErrored(
            account,
            process?.error ?? error('unknown', `The process ended with status ${process?.status ?? ''}.`),
          );
          return true;
      }
    } catch (failure) {
      // The process continues even if its status cannot be read. Poll it again, up to the overall limit.
      if (failure instanceof Unreachable) return false;
      throw failure;
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
