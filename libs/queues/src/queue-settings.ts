import type { QueueName } from './job-contract';

export interface QueueSettings {
  /** How often a job is started before it counts as failed. */
  attempts: number;
  /** First pause between two attempts; each next one is twice as long. */
  backoffMilliseconds: number;
  /** Part of a pause that is left to chance, so that jobs that failed together do not return together. */
  backoffJitter: number;
  /** How often a job may be taken from a worker that is gone before it counts as failed. */
  maxStalledCount: number;
  /** The setting that says how many jobs all workers together may start in a second; without it, any number. */
  startsPerSecond?: 'PAYMENT_INSTRUCTIONS_PER_SECOND';
  /** The setting that says how many jobs one worker has in hand at once. */
  concurrency: 'IMPORT_CONCURRENCY' | 'WORKER_CONCURRENCY';
  /** How long failed jobs can be looked at. */
  keepFailedSeconds: number;
  /** What an operator reads about the queue in Bull Board. */
  description: string;
}

const DAY = 86_400;

/** Attempts, back-off and times of every queue, side by side. JOB_LOCK_MS holds for all. */
export const queueSettings: Record<QueueName, QueueSettings> = {
  'account-imports': {
    attempts: 5,
    backoffMilliseconds: 1_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'IMPORT_CONCURRENCY',
    keepFailedSeconds: 7 * DAY,
    description: 'One job for each version of an import process: dry run, or creation of the account.',
  },
  transactions: {
    attempts: 5,
    backoffMilliseconds: 500,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'WORKER_CONCURRENCY',
    keepFailedSeconds: 7 * DAY,
    description:
      'One job for each request that adds transactions, or for several that came together; the clients wait for it.',
  },
  'payment-instructions': {
    // All three fit into the time that the client waits.
    attempts: 3,
    backoffMilliseconds: 1_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    startsPerSecond: 'PAYMENT_INSTRUCTIONS_PER_SECOND',
    concurrency: 'WORKER_CONCURRENCY',
    keepFailedSeconds: 7 * DAY,
    description: 'One job for each payment instruction: asks its vendor; the client waits for it.',
  },
  documents: {
    // A document may be uploaded after its account: from seconds to about a day later.
    attempts: 12,
    backoffMilliseconds: 20_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'WORKER_CONCURRENCY',
    keepFailedSeconds: 7 * DAY,
    description: 'One job for each document of a statement or note: its size, type and SHA-256.',
  },
  emails: {
    attempts: 8,
    backoffMilliseconds: 30_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'WORKER_CONCURRENCY',
    keepFailedSeconds: 7 * DAY,
    description: 'One job for each welcome e-mail.',
  },
  maintenance: {
    attempts: 3,
    backoffMilliseconds: 10_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'WORKER_CONCURRENCY',
    keepFailedSeconds: 7 * DAY,
    description:
      'What is due at certain times: statement periods that have ended, requests and payloads to be forgotten, the count of processes.',
  },
};
