import type { Logger } from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';

/** Times that the worker of a batch may die before each part of the batch is performed by itself. */
export const MAX_BATCH_STALLS = 2;

/**
 * Returns the code that is stored with a failed job. Error messages are not stored: they may quote a row or a vendor.
 */
export function failureCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unavailable';
}

/** The fields of a log line about an attempt of a job. */
export function fieldsOf({ queueName: queue, id, data, attemptsMade }: Job<{ supplier: string }>) {
  return { queue, supplier: data.supplier, ...(id ? { jobId: id } : {}), attempt: attemptsMade + 1 };
}

/**
 * Logs that an attempt has failed for a reason that may pass.
 *
 * @param process the one of several that has failed
 * @returns the error of the job, whose code is stored
 */
export function failAttempt(
  logger: Logger,
  job: Job<{ supplier: string }>,
  error: unknown,
  process: { processId?: string; version?: number } = {},
): Error {
  logger.warn('A job attempt failed with a transient error.', { ...fieldsOf(job), ...process, error });
  return new Error(failureCode(error));
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
