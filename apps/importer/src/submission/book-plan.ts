import type { ImportOptions } from '../options';
import type { SubmissionResult } from '@portage/client';
import { total } from '../run/counts';
import type { Summary } from '../run/summary';
import type { SubmissionRun } from './submission-run';

/** What sending a book would do (--plan), as written by --report. */
export interface BookPlan {
  would_create: number;
  would_correct: number;
  unchanged: number;
  /** Lines that are refused, also those that the importer does not send, and accounts whose rehearsal has failed. */
  refused: number;
  /** Lines that are not sent, because lines about the same account have different content. */
  conflicting: number;
}

/** Changes of one account that are shown. */
const MAX_SHOWN_CHANGES = 3;

/** Characters of a value that is shown. */
const MAX_SHOWN_LENGTH = 40;

/** @param run the rehearsal of the book, which has ended; undefined if no line was sent */
export function planOf(run: SubmissionRun | undefined, { refused, errored, conflicting }: Summary): BookPlan {
  const plan = run?.submission.plan;
  return {
    would_create: plan?.would_create ?? 0,
    would_correct: plan?.would_correct ?? 0,
    unchanged: plan?.unchanged ?? 0,
    refused: total(refused) + total(errored),
    conflicting,
  };
}

/** The plan as one line. */
export function describePlan(plan: BookPlan): string {
  const counts: [string, number][] = [
    ['Create', plan.would_create],
    ['Correct', plan.would_correct],
    ['Unchanged', plan.unchanged],
    ['Refused', plan.refused],
    ...(plan.conflicting > 0 ? [['Conflicting', plan.conflicting] as [string, number]] : []),
  ];
  return counts.map(([name, count]) => `${name} ${count.toLocaleString('en-GB')}`).join(' · ');
}

/** True if the book is rehearsed in order to be sent afterwards. */
export const isPlan = ({ plan, rehearse }: Pick<ImportOptions, 'plan' | 'rehearse'>): boolean =>
  plan && rehearse;

/** An account that would be corrected, with its first changes. @param line the name of its line */
export function describeCorrection(
  { external_account_number: number, changes, change_count: count }: SubmissionResult,
  line: string,
): string {
  const shown = changes
    .slice(0, MAX_SHOWN_CHANGES)
    .map(({ path, from, to }) => `${path} ${show(from)} → ${show(to)}`);
  const more = count - shown.length;
  if (more > 0) shown.push(`${more} ${shown.length > 0 ? 'more ' : ''}changes`);
  return `Would correct ${number ?? ''} (${line}): ${shown.join(', ')}`;
}

function show(value: unknown): string {
  const characters = Array.from(value === null ? 'nothing' : JSON.stringify(value));
  return characters.length <= MAX_SHOWN_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_SHOWN_LENGTH).join('')}...`;
}
