import type { ImportProcessStatus } from '@portage/imports';

/**
 * What became of a line of a submission: it was refused, it repeats another line of the submission, or the state of its
 * import process. The account of the others was imported before: it is unchanged, or in a state of its correction.
 */
export type LineOutcome =
  | 'refused'
  | 'repeated'
  | 'unchanged'
  | 'correcting'
  | 'corrected'
  | 'would_correct'
  | 'correction_errored'
  | Lowercase<ImportProcessStatus>;

/** All outcomes, in the order in which a line passes through them. */
export const LINE_OUTCOMES = [
  'refused',
  'repeated',
  'pending',
  'in_progress',
  'processed',
  'errored',
  'dry_run_succeeded',
  'dry_run_errored',
  'cancelled',
  'unchanged',
  'correcting',
  'corrected',
  'would_correct',
  'correction_errored',
] as const satisfies readonly LineOutcome[];
