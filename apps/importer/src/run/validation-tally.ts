import type { Clock } from '@portage/client';
import { type CountByCode, Counts } from './counts';
import { IgnoredFields } from './ignored-fields';

/** What the lines of one kind of additions have added. */
export interface AdditionCounts {
  lines: number;
  /** Notes, transactions, statements or payment instructions that are new; of a rehearsal, those that would be. */
  added: number;
  /** Those that the accounts had already. */
  existing: number;
  /** Of the existing ones, those that the accounts have with other content, which is unchanged. */
  different: number;
  /** Transactions whose date was moved into the open statement period. */
  moved: number;
  /** Lines that have added nothing, by the code of their first error. */
  failed: CountByCode;
}

/** The summary of a book, as written by --report. Of a book of additions, its counts are those of lines. */
export interface Summary {
  accepted: number;
  /** Accounts that were imported before, as far as is known with the same content. */
  already_imported: number;
  /** Accounts that were imported before with other content. The imported account is unchanged. */
  already_imported_differing: number;
  /** Accounts that an earlier run had sent, and that are not imported yet. */
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
  /** Accounts of the submissions that were corrected, by this run or an earlier one. */
  corrected: number;
  /** Accounts of the submissions that were imported before with the same content. */
  unchanged: number;
  errored: CountByCode;
  dry_run_succeeded: number;
  /** Accounts that would be corrected, of a rehearsal. */
  would_correct: number;
  /** Accounts that were accepted and whose process had not ended. */
  unfinished: number;
  /** Accounts that got no response. */
  unreachable: number;
  seconds: number;
  /** Accepted accounts divided by the time from the first request until the last one was seen at its end. */
  accounts_per_second: number;
  /** Values in undocumented fields, which the service ignores, by path; `*` stands for positions in lists. */
  ignored_fields: CountByCode;
  /** Of a book of additions: what was added, by kind. */
  additions?: Record<string, AdditionCounts>;
}

/** Counts the results of checking the accounts of a book. */
export class ValidationTally {
  alreadyImported = 0;
  alreadyImportedDiffering = 0;
  repeated = 0;
  superseded = 0;
  conflicting = 0;
  valid = 0;
  unreachable = 0;
  readonly ignoredFields = new IgnoredFields();
  private readonly refusedByCode = new Counts();
  private readonly startedAt: number;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  recordRefused(code: string): void {
    this.refusedByCode.add(code);
  }

  get refused(): number {
    return this.refusedByCode.total;
  }

  /** The summary, without accounts that were sent: none were. */
  summary(): Summary {
    return {
      accepted: 0,
      already_imported: this.alreadyImported,
      already_imported_differing: this.alreadyImportedDiffering,
      accepted_before: 0,
      repeated: this.repeated,
      superseded: this.superseded,
      conflicting: this.conflicting,
      valid: this.valid,
      refused: this.refusedByCode.byCode(),
      processed: 0,
      corrected: 0,
      unchanged: 0,
      errored: {},
      dry_run_succeeded: 0,
      would_correct: 0,
      unfinished: 0,
      unreachable: this.unreachable,
      seconds: oneDecimal((this.clock.now() - this.startedAt) / 1000),
      accounts_per_second: 0,
      ignored_fields: this.ignoredFields.byPath(),
    };
  }
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
