import { type ApiError } from '../api/api-error';
import { type DataImportApi } from '../api/data-import-api';
import { Unreachable } from '../api/retrying';
import { type BookAccount } from '../book/book-line';
import { type Clock } from '../clock';
import { type ErrorList } from './error-file';
import { inParallel } from './in-parallel';
import { Outstanding, type OutstandingAccount } from './outstanding';
import { type Tally } from './tally';

/** Between two looks while nothing ends, growing from the first to the second; none while there is news. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Asks after accepted accounts until each has come to an end, and records to which. */
export class Follower {
  private readonly outstanding: Outstanding;
  private moreToCome = true;
  private lastChangeAt = 0;

  constructor(
    private readonly api: DataImportApi,
    private readonly tally: Tally,
    private readonly errors: ErrorList,
    private readonly clock: Clock,
    random: () => number,
  ) {
    this.outstanding = new Outstanding(random);
  }

  add({ line, supplier, externalAccountNumber, externalIdentifier }: BookAccount): void {
    // Not the account itself: its body would keep the whole book in memory.
    this.outstanding.add({ line, supplier, externalAccountNumber, externalIdentifier });
    this.lastChangeAt = this.clock.now();
  }

  /** The whole book has been handed over; the follower ends when nothing is outstanding. */
  noMoreToCome(): void {
    this.moreToCome = false;
    this.lastChangeAt = this.clock.now();
  }

  /**
   * Returns when nothing is outstanding, when nothing has changed for `waitMs`, or when `stop` is aborted. While
   * the book is being sent it takes a quarter of the concurrency, so that sending comes first.
   */
  async follow(concurrency: number, waitMs: number, stop: AbortSignal): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    while (!stop.aborted && (this.moreToCome || this.outstanding.size > 0)) {
      const width = this.moreToCome ? Math.ceil(concurrency / 4) : concurrency;
      const { asked, ended, heldUp } = await this.outstanding.askNext(width, this.clock.now(), (accounts) =>
        this.ask(accounts, width),
      );
      if (ended > 0) {
        this.lastChangeAt = this.clock.now();
        pause = SHORTEST_PAUSE_MS;
        if (!heldUp) continue;
      } else if (asked > 0) {
        pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5);
      }
      if (!this.moreToCome && this.clock.now() - this.lastChangeAt >= waitMs) return;
      await this.clock.sleep(pause, stop);
    }
  }

  /** Puts what is still outstanding on the error list. */
  reportUnfinished(): void {
    for (const account of this.outstanding) {
      const detail =
        'Accepted; its process had not ended when the waiting did. It goes on without this tool.';
      this.errors.add(account, 'unfinished', { code: 'unfinished', attr: '', detail });
    }
  }

  private async ask(accounts: OutstandingAccount[], width: number): Promise<Set<OutstandingAccount>> {
    const ended = new Set<OutstandingAccount>();
    await inParallel(accounts, width, async (account) => {
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
          this.tally.process();
          return true;
        case 'DRY_RUN_SUCCEEDED':
          this.tally.dryRunSucceeded += 1;
          return true;
        case undefined:
          this.err(
            account,
            error('not_found', 'The service accepted the account and now knows nothing of it.'),
          );
          return true;
        case 'CANCELLED':
          this.err(account, error('cancelled', 'The process was cancelled before it was started.'));
          return true;
        default:
          this.err(
            account,
            process?.error ?? error('unknown', `The process ended as ${process?.status ?? ''}.`),
          );
          return true;
      }
    } catch (failure) {
      // The process goes on whether or not we can see it: ask again later, up to the overall limit.
      if (failure instanceof Unreachable) return false;
      throw failure;
    }
  }

  private err(account: OutstandingAccount, reason: ApiError): void {
    this.tally.err(reason.code);
    this.errors.add(account, 'errored', reason);
  }
}

function error(code: string, detail: string): ApiError {
  return { code, attr: '', detail };
}
