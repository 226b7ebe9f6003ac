/** The organisation that a job works for. */
export interface OrganisationPayload {
  organisationId: number;
}

/** A version of an import process in the job of its batch. */
export interface BatchedProcess {
  processId: string;
  version: number;
  externalAccountNumber: string;
  /** The span of the request that has sent the account, as a W3C `traceparent`. Set while tracing is enabled. */
  traceparent?: string;
}

/** Payload of a job for an account request: the stored request, and the account for logs and Bull Board. */
export interface AccountRequestJobPayload extends OrganisationPayload {
  requestId: string;
  supplier: string;
  externalAccountNumber: string;
  /** The submission that the request belongs to, if it was uploaded. */
  submissionId?: string;
  /** The small requests that this one counts as in the shares of the organisations, if it is large. */
  weight?: number;
}

/** An account request in a job that it shares with others. */
export interface BatchedAccountRequest {
  requestId: string;
  externalAccountNumber: string;
  /** The span of the request, as a W3C `traceparent`. Set while tracing is enabled. */
  traceparent?: string;
}

/**
 * Every queue, the names of its jobs, and their payloads. Names never change, because jobs outlive deployments.
 * Payloads hold ids, the supplier code and the external account number, and no personal data.
 */
export interface JobContract {
  'account-imports': {
    'import-account': OrganisationPayload & {
      processId: string;
      version: number;
      supplier: string;
      externalAccountNumber: string;
      /** The submission that the account belongs to, if it was uploaded. */
      submissionId?: string;
    };
    /** The import of several accounts of one supplier that were stored together. */
    'import-accounts': OrganisationPayload & {
      supplier: string;
      submissionId?: string;
      /** At most {@link MAX_BATCH_ACCOUNTS}. */
      processes: readonly BatchedProcess[];
    };
    'process-account': AccountRequestJobPayload;
  };
  transactions: {
    'add-transactions': AccountRequestJobPayload;
    /** Small requests for different accounts of one supplier that were stored together. */
    'add-transactions-batch': OrganisationPayload & {
      supplier: string;
      /** At most {@link MAX_BATCH_REQUESTS}. */
      requests: readonly BatchedAccountRequest[];
    };
  };
  'payment-instructions': {
    'verify-payment-instruction': AccountRequestJobPayload;
  };
  additions: {
    /** The additions of a submission that are due in a shard. */
    'perform-additions': OrganisationPayload & {
      supplier: string;
      submissionId: string;
      shard: number;
    };
  };
  documents: {
    'inspect-document': OrganisationPayload & {
      documentId: string;
      supplier: string;
      externalAccountNumber: string;
    };
  };
  emails: {
    'send-welcome-email': OrganisationPayload & {
      accountId: string;
      supplier: string;
      externalAccountNumber: string;
    };
  };
  maintenance: {
    'statement-rollover': Record<string, never>;
    'forget-finished-requests': Record<string, never>;
    'erase-expired-payloads': Record<string, never>;
    'erase-webhook-attempts': Record<string, never>;
    'count-import-processes': Record<string, never>;
    'finish-submissions': Record<string, never>;
    'remove-completed-jobs': Record<string, never>;
  };
}

/** Accounts in one job `import-accounts`, at most. */
export const MAX_BATCH_ACCOUNTS = 64;

/** Requests in one job `add-transactions-batch`, at most. With more, the first would wait longer for the last. */
export const MAX_BATCH_REQUESTS = 16;

/** The name of a queue. */
export type QueueName = keyof JobContract;

/** The names of the jobs of a queue. */
export type JobName<Q extends QueueName> = keyof JobContract[Q] & string;

/** The payload of one job of a queue, or of any of its jobs. */
export type JobPayload<Q extends QueueName, N extends JobName<Q> = JobName<Q>> = JobContract[Q][N];

/** The settings of one queue and its jobs. */
export interface QueueSettings {
  /** Attempts before a job counts as failed. */
  attempts: number;
  /** Maximum pause after the first attempt. It doubles with each attempt. */
  initialBackoffMs: number;
  /** Random part of a pause, from 0 to 1, so that jobs that failed together are not retried together. */
  backoffJitter: number;
  /** Number of times that a job may stall, because its worker has died, before it counts as failed. */
  maxStalledCount: number;
  /** The setting that limits how many jobs all workers together start in a second. No limit without it. */
  startsPerSecond?: 'PAYMENT_INSTRUCTIONS_PER_SECOND';
  /** How many jobs of the queue one worker processes at the same time, or the setting that says it. */
  concurrency: number | 'WORKER_CONCURRENCY';
  /**
   * Jobs of one organisation that are taken in a row while jobs of others wait. A batch counts as its accounts, and a
   * large request as several.
   */
  jobsPerRound: number;
  /** Time for which failed jobs are retained for inspection. */
  keepFailedSeconds: number;
  /** Description of the queue in Bull Board. */
  description: string;
}

const DAY = 86_400;

/** Completed jobs that each queue retains for Bull Board: the last ones, and none that ended longer ago. */
export const COMPLETED_JOBS = { count: 1_000, ageSeconds: 3_600 } as const;

/** Minutes for which the backend counts the ended jobs of each queue, where that costs no statement: a day. */
export const METRICS_MINUTES = 1_440;

/**
 * Attempts, backoff and retention of every queue, in the order in which Bull Board shows them. JOB_LOCK_MS is the
 * same for all.
 */
export const queueSettings: Record<QueueName, QueueSettings> = {
  'account-imports': {
    attempts: 5,
    initialBackoffMs: 1_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    // A job is a batch. While some wait for the database, another one is built; more would only wait with them.
    concurrency: 4,
    jobsPerRound: 16,
    keepFailedSeconds: 7 * DAY,
    description:
      'One job for each version of an import process, or for those that were stored together: dry run, or creation of the account; the client waits if it was staged.',
  },
  transactions: {
    attempts: 5,
    initialBackoffMs: 500,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    // A job is a batch of small requests, or a large request, which occupies a connection. Some connections remain for the
    // other queues, and some jobs may wait for the locks of accounts.
    concurrency: 8,
    jobsPerRound: 2,
    keepFailedSeconds: 7 * DAY,
    description:
      'One job for each request that adds transactions, or for small ones that were stored together; their clients wait.',
  },
  'payment-instructions': {
    // All attempts fit into the time that the client waits.
    attempts: 3,
    initialBackoffMs: 1_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    startsPerSecond: 'PAYMENT_INSTRUCTIONS_PER_SECOND',
    concurrency: 'WORKER_CONCURRENCY',
    // The vendors' rate allows few jobs a second.
    jobsPerRound: 1,
    keepFailedSeconds: 7 * DAY,
    description:
      'One job for each payment instruction: verifies it with its vendor; the client waits for it.',
  },
  additions: {
    attempts: 5,
    initialBackoffMs: 500,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    // A job performs hundreds of lines. No client waits for it, and two are enough to keep the database busy.
    concurrency: 2,
    jobsPerRound: 1,
    keepFailedSeconds: 7 * DAY,
    description: 'One job for some hundred additions of a submission, which has the next one added.',
  },
  documents: {
    // A document may be uploaded after its account was imported: minutes to about eleven hours later.
    attempts: 8,
    initialBackoffMs: 320_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'WORKER_CONCURRENCY',
    jobsPerRound: 4,
    keepFailedSeconds: 7 * DAY,
    description: 'One job for each document of a statement or note: reads its size, type and SHA-256.',
  },
  emails: {
    attempts: 8,
    initialBackoffMs: 30_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'WORKER_CONCURRENCY',
    jobsPerRound: 4,
    keepFailedSeconds: 7 * DAY,
    description: 'One job for each welcome e-mail.',
  },
  maintenance: {
    attempts: 3,
    initialBackoffMs: 10_000,
    backoffJitter: 0.5,
    maxStalledCount: 10,
    concurrency: 'WORKER_CONCURRENCY',
    jobsPerRound: 1,
    keepFailedSeconds: 7 * DAY,
    description:
      'Scheduled jobs: close ended statement periods, delete expired requests, payloads and completed jobs, count import processes.',
  },
};

/** All queues. */
export const QUEUE_NAMES = Object.keys(queueSettings) as readonly QueueName[];
