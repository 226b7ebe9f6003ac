import { type Job, UnrecoverableError } from 'bullmq';

/**
 * Returns the code that is stored with a failed job. Error messages are not stored: they may quote a row or a vendor.
 */
export function failureCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unavailable';
}

/** Returns the code of an error that a processor has thrown: its message, the only part that BullMQ stores. */
export function thrownCode(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /^[\w-]{1,64}$/.test(message) ? message : 'error';
}

/** The code of an attempt that has not found the file that its job waits for, which is a failure of the last attempt only. */
export const AWAITED = 'path_does_not_exist_in_file_store';

/**
 * Refuses a job whose name this release does not know, because a later release has added it. The sweeper enqueues its
 * row again, under a name of this release.
 *
 * @throws UnrecoverableError `unknown_job_name`
 */
export function assertJobName<Name extends string>(
  job: Pick<Job, 'name'>,
  names: readonly Name[],
): asserts job is { name: Name } {
  if (!names.some((name) => name === job.name)) throw new UnrecoverableError('unknown_job_name');
}
