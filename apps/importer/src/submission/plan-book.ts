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
  progress.note(describePlan(submissions));
  for (const line of await describeCorrections(submissions, portage)) progress.note(line);
  const isConfirmed = (await confirm?.('Send the book? [y/N] ')) ?? false;
  if (!isConfirmed)
    progress.note(
      'Nothing was sent. Run the command with --yes to send the book, or with --rehearse and --errors to see why lines would be refused.',
    );
  return isConfirmed;
}

/** Such as `Create 12 · Correct 340 · Unchanged 99,601 · Refused 47`. */
export function describePlan(submissions: readonly Pick<SubmissionOutcome, 'counts'>[]): string {
  const sum = (of: (counts: SubmissionOutcome['counts']) => number) =>
    submissions.reduce((total, { counts }) => total + of(counts), 0).toLocaleString('en');
  return [
    `Create ${sum((counts) => counts.dry_run_succeeded)}`,
    `Correct ${sum((counts) => counts.would_correct)}`,
    `Unchanged ${sum((counts) => counts.unchanged)}`,
    `Refused ${sum((counts) => counts.refused + counts.dry_run_errored + counts.correction_errored)}`,
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
