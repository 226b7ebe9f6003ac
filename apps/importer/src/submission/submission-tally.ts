import type { Clock, SubmissionResult } from '@portage/client';
import type { LineRole } from '../book/account-index';
import type { BookKind } from '../book/book-line';
import { Counts } from '../run/counts';
import { IgnoredFields } from '../run/ignored-fields';
import type { AdditionCounts, Summary } from '../run/validation-tally';
import { acceptedOf, importedOf, type SubmissionRun, unfinishedOf } from './submission-run';

/** Counts what the submissions of a book do not count: lines that are not sent, errors by code, and ignored values. */
export class SubmissionTally {
  private readonly roles: Record<LineRole, number> = { sent: 0, repeated: 0, conflicting: 0, superseded: 0 };
  private readonly refused = new Counts();
  private readonly errored = new Counts();
  private readonly ignoredFields = new IgnoredFields();
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
  addIgnoredFields(counts: Readonly<Record<string, number>>): void {
    for (const [path, count] of Object.entries(counts)) this.ignoredFields.addCount(path, count);
  }

  recordSending(): void {
    this.sendingAt ??= this.clock.now();
  }

  recordEnd(): void {
    this.endedAt = this.clock.now();
  }

  summary(runs: readonly SubmissionRun[]): Summary {
    const sum = (of: (run: SubmissionRun) => number) => runs.reduce((total, run) => total + of(run), 0);
    const processedBefore = sum(({ before }) => before.processed);
    const acceptedBefore = sum(({ before }) => acceptedOf(before));
    const processed = sum(({ submission }) => submission.counts.processed) - processedBefore;
    const importedBefore = sum(({ before }) => importedOf(before));
    const imported = sum(({ submission }) => importedOf(submission.counts)) - importedBefore;
    const accepted = sum(({ submission }) => acceptedOf(submission.counts)) - acceptedBefore;
    const seconds = ((this.endedAt ?? 0) - (this.sendingAt ?? Infinity)) / 1000;
    return {
      accepted: Math.max(0, accepted),
      already_imported: processedBefore,
      already_imported_differing: 0,
      accepted_before: acceptedBefore - importedBefore,
      repeated: this.roles.repeated,
      superseded: this.roles.superseded,
      conflicting: this.roles.conflicting,
      valid: 0,
      refused: this.refused.byCode(),
      processed: Math.max(0, processed),
      corrected: sum(({ submission }) => submission.counts.corrected),
      unchanged: sum(({ submission }) => submission.counts.unchanged),
      errored: this.errored.byCode(),
      dry_run_succeeded: sum(({ submission }) => submission.counts.dry_run_succeeded),
      would_correct: sum(({ submission }) => submission.counts.would_correct),
      unfinished: sum(({ submission }) => unfinishedOf(submission.counts)),
      unreachable: 0,
      seconds: oneDecimal((this.clock.now() - this.startedAt) / 1000),
      accounts_per_second: seconds > 0 ? oneDecimal(imported / seconds) : 0,
      ignored_fields: this.ignoredFields.byPath(),
      ...(this.kind === 'additions' && { additions: Object.fromEntries(this.additions) }),
    };
  }
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
