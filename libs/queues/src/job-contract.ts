/**
 * Every queue, every kind of job on it, and what the job carries. The names are forever: jobs outlive deployments.
 * Payloads are ids, supplier code and external account number, nothing about a person (DESIGN 3, promise 4).
 */
export interface JobContract {
  'account-imports': {
    'import-account': {
      processId: string;
      version: number;
      supplier: string;
      externalAccountNumber: string;
    };
  };
}

export type QueueName = keyof JobContract;
export type JobName<Q extends QueueName> = keyof JobContract[Q] & string;
export type JobPayload<Q extends QueueName, N extends JobName<Q> = JobName<Q>> = JobContract[Q][N];

export const QUEUE_NAMES = ['account-imports'] as const satisfies readonly QueueName[];

/** A job to add. The id is derived from what it is about, so adding it twice is adding it once. */
export interface NewJob<Q extends QueueName> {
  id: string;
  name: JobName<Q>;
  payload: JobPayload<Q>;
  /** Earliest start, in milliseconds from now. */
  delay?: number;
}

/** The job that works on one version of an import process. */
export function importAccountJob(
  about: JobPayload<'account-imports', 'import-account'>,
  delay = 0,
): NewJob<'account-imports'> {
  return { id: `process-${about.processId}-${about.version}`, name: 'import-account', payload: about, delay };
}
