import type { Clock, SubmissionResult } from '@portage/client';
import type { LineRole } from '../book/account-index';
import type { BookKind } from '../book/book-line';
import { type CountByCode, Counts } from '../run/counts';
import type { AdditionCounts, Summary } from '../run/summary';
import { acceptedOf, importedOf, NO_COUNTS, type SubmissionRun, unfinishedOf } from './submission-run';

/** Counts what the submission of a book does not count: lines that are not sent, errors by code, and ignored values. */
export class SubmissionTally {
  private readonly roles: Record<LineRole, number> = { sent: 0, repeated: 0, conflicting: 0, superseded: 0 };
  private readonly refused = new Counts();
  private readonly errored = new Counts();
  private readonly ignoredFields = new Counts();
  private readonly startedAt: number;
  private sendingAt: number | undefined;
  private endedAt: number | undefined;

  private readonly additions = new Map<string, AdditionCounts>();

  constructor(
    private readonly clock: Clock,
    private readonly kind: BookKind = 'accounts',
  ) {
    this.startedAt = clock.now();
  }

  recordRole(role: LineRole): void {
    this.roles[role] += 1;
  }

  recordFailed(stage: 'refused' | 'errored', code: string): void {
    this[stage].add(code);
  }

  /** Counts what a line of additions has added. Lines that repeat another one, and accounts, are left out. */
  recordAddition({ kind, outcome, addition, errors: [error] }: SubmissionResult): void {
    if (kind === 'account' || outcome === 'repeated') return;
    const name = kind ?? 'unknown';
    const before = this.additions.get(name);
    const counts = before ?? { lines: 0, added: 0, existing: 0, different: 0, moved: 0, failed: {} };
    if (before === undefined) this.additions.set(name, counts);
    counts.lines += 1;
    for (const item of ['added', 'existing', 'different', 'moved'] as const)
      counts[item] += addition?.[item] ?? 0;
    if (error !== undefined) counts.failed[error.code] = (counts.failed[error.code] ?? 0) + 1;
  }

  /** @param counts by path, as the answer to an upload has them */
  addIgnoredFields(counts: CountByCode): void {
    for (const [path, count] of Object.entries(counts)) this.ignoredFields.add(path, count);
  }

  recordSending(): void {
    this.sendingAt ??= this.clock.now();
  }

  recordEnd(): void {
    this.endedAt = this.clock.now();
  }

  /** @param run undefined if no line was sent */
  summary(run?: SubmissionRun): Summary {
    const now = run?.submission.counts ?? NO_COUNTS;
    const before = run?.before ?? NO_COUNTS;
    const imported = importedOf(now) - importedOf(before);
    const seconds = ((this.endedAt ?? 0) - (this.sendingAt ?? Infinity)) / 1000;
    return {
      accepted: Math.max(0, acceptedOf(now) - acceptedOf(before)),
      already_imported: before.processed,
      accepted_before: acceptedOf(before) - importedOf(before),
      repeated: this.roles.repeated,
      superseded: this.roles.superseded,
      conflicting: this.roles.conflicting,
      refused: this.refused.byCode(),
      processed: Math.max(0, now.processed - before.processed),
      corrected: now.corrected,
      unchanged: now.unchanged,
      errored: this.errored.byCode(),
      dry_run_succeeded: now.dry_run_succeeded,
      would_correct: now.would_correct,
      unfinished: unfinishedOf(now),
      seconds: oneDecimal((this.clock.now() - this.startedAt) / 1000),
      accounts_per_second: seconds > 0 ? oneDecimal(imported / seconds) : 0,
      ignored_fields: this.ignoredFields.byCode(),
      ...(this.kind === 'additions' && { additions: Object.fromEntries(this.additions) }),
    };
  }
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
