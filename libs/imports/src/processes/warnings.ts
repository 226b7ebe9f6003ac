import type { ImportProcessStatus } from './status';
import { quoteList } from '@portage/platform';

/** The statuses of a process whose last run has found the warnings that are stored with it. */
const WARNED_STATUSES: readonly ImportProcessStatus[] = ['PROCESSED', 'DRY_RUN_SUCCEEDED'];

/**
 * The SQL of the warnings of a process: null if there are none, or if they are of a run before its present status.
 *
 * @param process the alias of its row
 */
export const warningsOfProcess = (process: string): string =>
  `CASE WHEN ${process}.status IN (${quoteList(WARNED_STATUSES)}) THEN ${process}.warnings END`;
