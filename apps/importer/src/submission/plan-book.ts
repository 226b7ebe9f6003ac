import type { PortageClient } from '@portage/client';
import type { RunContext } from '../run/run-context';
import type { SentBook } from './send-submissions';
import type { SubmissionOutcome } from './submission-outcome';

/** Corrections that a plan shows. */
const SHOWN_CORRECTIONS = 5;

/** Characters of a value that a plan shows. */
const MAX_VALUE_LENGTH = 40;

/**
 * Prints what the submissions of a rehearsed book would do, and asks whether they are to do it.
 *
 * @returns false if the book is not to be sent
 */
export async function confirmPlan(
  { submissions }: Pick<SentBook, 'submissions'>,
  portage: PortageClient,
  { progress, confirm }: RunContext,
): Promise<boolean> {
  progress.note(describePlan(sumPlans(submissions)));
  for (const line of await describeCorrections(submissions, portage)) progress.note(line);
  const isConfirmed = (await confirm?.('Send the book? [y/N] ')) ?? false;
  if (!isConfirmed)
    progress.note(
      'Nothing was sent. Run the command with --yes to send the book, or with --rehearse and --errors to see why lines would be refused.',
    );
  return isConfirmed;
}

/** What a book would do, in accounts. */
export type BookPlan = Record<'would_create' | 'would_correct' | 'unchanged' | 'refused', number>;

/** What the rehearsed submissions of a book would do together. */
export function sumPlans(submissions: readonly Pick<SubmissionOutcome, 'counts'>[]): BookPlan {
  const sum = (of: (counts: SubmissionOutcome['counts']) => number) =>
    submissions.reduce((total, { counts }) => total + of(counts), 0);
  return {
    would_create: sum((counts) => counts.dry_run_succeeded),
    would_correct: sum((counts) => counts.would_correct),
    unchanged: sum((counts) => counts.unchanged),
    refused: sum((counts) => counts.refused + counts.dry_run_errored + counts.correction_errored),
  };
}

/** Such as `Create 12 · Correct 340 · Unchanged 99,601 · Refused 47`. */
export function describePlan(plan: BookPlan): string {
  const shown = (count: number) => count.toLocaleString('en');
  return [
    `Create ${shown(plan.would_create)}`,
    `Correct ${shown(plan.would_correct)}`,
    `Unchanged ${shown(plan.unchanged)}`,
    `Refused ${shown(plan.refused)}`,
  ].join(' · ');
}

/** The first corrections, with the first change of each. */
async function describeCorrections(
  submissions: readonly SubmissionOutcome[],
  portage: PortageClient,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { id } of submissions) {
    if (lines.length === SHOWN_CORRECTIONS) break;
    for await (const result of portage.results(id, { outcome: ['would_correct'] })) {
      const [first] = result.changes;
      const others = result.change_count > 1 ? `, and ${result.change_count - 1} more` : '';
      lines.push(
        `  ${result.external_account_number}: ${first ? `${first.path}: ${shown(first.from)} becomes ${shown(first.to)}${others}` : 'its changes are not known, because its payload was erased'}`,
      );
      if (lines.length === SHOWN_CORRECTIONS) break;
    }
  }
  return lines;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
