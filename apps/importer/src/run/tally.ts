import { type Clock } from '../clock';
import { type CountByCode, Counts } from './counts';

export interface Summary {
  accepted: number;
  already_imported: number;
  /** Each account once, under the code of its first error. */
  refused: CountByCode;
  processed: number;
  errored: CountByCode;
  dry_run_succeeded: number;
  /** Accepted, and no end state seen yet. */
  unfinished: number;
  /** Never got an answer. */
  unreachable: number;
  seconds: number;
  /** Accepted accounts over the time from the first request to the last account seen PROCESSED. */
  accounts_per_second: number;
}

/** Counts what becomes of each account, and notes the two moments that the rate is reckoned between. */
export class Tally {
  accepted = 0;
  alreadyImported = 0;
  processed = 0;
  dryRunSucceeded = 0;
  unreachable = 0;
  private readonly refusedBy = new Counts();
  private readonly erroredBy = new Counts();
  private readonly startedAt: number;
  private firstSentAt: number | undefined;
  private lastProcessedAt: number | undefined;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  sending(): void {
    this.firstSentAt ??= this.clock.now();
  }

  refuse(code: string): void {
    this.refusedBy.add(code);
  }

  err(code: string): void {
    this.erroredBy.add(code);
  }

  process(): void {
    this.processed += 1;
    this.lastProcessedAt = this.clock.now();
  }

  get refused(): number {
    return this.refusedBy.total;
  }

  get errored(): number {
    return this.erroredBy.total;
  }

  /** Accounts whose fate is known or that are under way: everything that went through our hands. */
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
      refused: this.refusedBy.byCode(),
      processed: this.processed,
      errored: this.erroredBy.byCode(),
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
