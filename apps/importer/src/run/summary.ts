import type { CountByCode } from './counts';

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
  /** Accounts of the submission that were imported before this run. */
  already_imported: number;
  /** Accounts that an earlier run had sent, and that are not imported yet. */
  accepted_before: number;
  /** Lines that were not sent, because an equal line is. */
  repeated: number;
  /** Lines that were not sent, because a later line is about the same account (--last-wins). */
  superseded: number;
  /** Lines that were not sent, because lines about the same account have different content. */
  conflicting: number;
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
  seconds: number;
  /** Accepted accounts divided by the time from the first request until the last one was seen at its end. */
  accounts_per_second: number;
  /** Values in undocumented fields, which the service ignores, by path; `*` stands for positions in lists. */
  ignored_fields: CountByCode;
  /** Of a book of additions: what was added, by kind. */
  additions?: Record<string, AdditionCounts>;
}
