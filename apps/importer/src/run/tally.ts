import type { Clock } from '@portage/client';
import { type CountByCode, Counts } from './counts';
import { IgnoredFields } from './ignored-fields';

/** The summary of a book, as written by --report. */
export interface Summary {
  accepted: number;
  /** Accounts that were imported before, as far as is known with the same content. */
  already_imported: number;
  /** Accounts that were imported before with other content. The imported account is unchanged. */
  already_imported_differing: number;
  /** Lines that an earlier run had sent successfully, according to the checkpoint. */
  accepted_before: number;
  /** Lines that were not sent, because an equal line is. */
  repeated: number;
  /** Lines that were not sent, because a later line is about the same account (--last-wins). */
  superseded: number;
  /** Lines that were not sent, because lines about the same account have different content. */
  conflicting: number;
  /** Accounts that are valid (--validate-only). */
  valid: number;
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
  /** Values in undocumented fields, which the service ignores, by path; `*` stands for positions in lists. */
  ignored_fields: CountByCode;
}

/** Counts the results of all accounts, and records the two times from which the rate is computed. */
export class Tally {
  accepted = 0;
  alreadyImported = 0;
  alreadyImportedDiffering = 0;
  acceptedBefore = 0;
  /** Part of `acceptedBefore`: accounts whose process had ended as well. */
  doneBefore = 0;
  repeated = 0;
  superseded = 0;
  conflicting = 0;
  valid = 0;
  processed = 0;
  dryRunSucceeded = 0;
  unreachable = 0;
  readonly ignoredFields = new IgnoredFields();
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

  /** Accounts that were accepted by this run or an earlier one. */
  get acceptedEver(): number {
    return this.accepted + this.acceptedBefore;
  }

  get unfinished(): number {
    const ended = this.doneBefore + this.processed + this.dryRunSucceeded + this.errored;
    return this.acceptedEver - ended;
  }

  summary(): Summary {
    const between = (this.lastProcessedAt ?? 0) - (this.firstSentAt ?? 0);
    return {
      accepted: this.accepted,
      already_imported: this.alreadyImported,
      already_imported_differing: this.alreadyImportedDiffering,
      accepted_before: this.acceptedBefore,
      repeated: this.repeated,
      superseded: this.superseded,
      conflicting: this.conflicting,
      valid: this.valid,
      refused: this.refusedByCode.byCode(),
      processed: this.processed,
      errored: this.erroredByCode.byCode(),
      dry_run_succeeded: this.dryRunSucceeded,
      unfinished: this.unfinished,
      unreachable: this.unreachable,
      seconds: oneDecimal((this.clock.now() - this.startedAt) / 1000),
      accounts_per_second: between > 0 ? oneDecimal(this.accepted / (between / 1000)) : 0,
      ignored_fields: this.ignoredFields.byPath(),
    };
  }
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
