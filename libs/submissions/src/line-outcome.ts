import type { ImportProcessStatus } from '@portage/imports';

/** What became of a line of a submission: it was refused, or the state of its import process. */
export type LineOutcome = 'refused' | Lowercase<ImportProcessStatus>;

/** All outcomes, in the order in which a line passes through them. */
export const LINE_OUTCOMES = [
  'refused',
  'pending',
  'in_progress',
  'processed',
  'errored',
  'dry_run_succeeded',
  'dry_run_errored',
  'cancelled',
] as const satisfies readonly LineOutcome[];
