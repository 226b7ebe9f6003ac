import { type Clock } from '../clock';
import { type CountByCode, Counts } from './counts';

/** The summary of a book, as written by --report. */
export interface Summary {
  accepted: number;
  already_imported: number;
  /** Refused accounts by the code of their first error. */
  refused: CountByCode;
  processed: number;
  errored: CountByCode;
  dry_run_succeeded: number;
  /** Accounts that were accepted and whose process had not ended. */
  unfinished: number;
  /** Accounts that got no response. */
  unreachable: number;
  seconds: number;
  /** Accepted accounts divided by the time from the first request until the last account was seen PROCESSED. */
  accounts_per_second: number;
}

/** Counts the results of all accounts, and records the two times from which the rate is computed. */
export class Tally {
  accepted = 0;
  alreadyImported = 0;
  processed = 0;
  dryRunSucceeded = 0;
  unreachable = 0;
  private readonly refusedByCode = new Counts();
  private readonly erroredByCode = new Counts();
  private readonly startedAt: number;
  private firstSentAt: number | undefined;
  private lastProcessedAt: number | undefined;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  recordSending(): void {
    this.firstSentAt ??= this.clock.now();
  }

  recordRefused(code: string): void {
    this.refusedByCode.add(code);
  }

  recordErrored(code: string): void {
    this.erroredByCode.add(code);
  }

  recordProcessed(): void {
    this.processed += 1;
    this.lastProcessedAt = this.clock.now();
  }

  get refused(): number {
    return this.refusedByCode.total;
  }

  get errored(): number {
    return this.erroredByCode.total;
  }

  /** All accounts that were sent: accepted, already imported, refused or without a response. */
  get handled(): number {
    return this.accepted + this.alreadyImported + this.refused + this.unreachable;
  }

  get unfinished(): number {
    return this.accepted - this.processed - this.dryRunSucceeded - this.errored;
  }

  summary(): Summary {
    const between = (this.lastProcessedAt ?? 0) - (this.firstSentAt ?? 0);
    return {
      accepted: this.accepted,
      already_imported: this.alreadyImported,
      refused: this.refusedByCode.byCode(),
      processed: this.processed,
      errored: this.erroredByCode.byCode(),
      dry_run_succeeded: this.dryRunSucceeded,
      unfinished: this.unfinished,
      unreachable: this.unreachable,
      seconds: oneDecimal((this.clock.now() - this.startedAt) / 1000),
      accounts_per_second: between > 0 ? oneDecimal(this.accepted / (between / 1000)) : 0,
    };
  }
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
