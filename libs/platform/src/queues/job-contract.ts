/** The organisation of a job. Jobs of release 0.1.0 have none and precede all others. */
export interface OrganisationPayload {
  organisationId?: number;
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

/** Characters of its input for which a large account request counts as one small request. */
const INPUT_LENGTH_PER_WEIGHT = 20_000;

/** The largest weight: as much as a full batch of small requests. */
const MAX_WEIGHT = 16;

/** The name of a queue. */
export type QueueName = keyof JobContract;

/** The names of the jobs of a queue. */
export type JobName<Q extends QueueName> = keyof JobContract[Q] & string;

/** The payload of one job of a queue, or of any of its jobs. */
export type JobPayload<Q extends QueueName, N extends JobName<Q> = JobName<Q>> = JobContract[Q][N];

/** All queues, in the order in which Bull Board shows them. */
export const QUEUE_NAMES = [
  'account-imports',
  'transactions',
  'payment-instructions',
  'documents',
  'emails',
  'maintenance',
] as const satisfies readonly QueueName[];

/** A job to add. Its id is derived from its subject, so that adding a job twice adds it once. */
export interface NewJob<Q extends QueueName> {
  id: string;
  name: JobName<Q>;
  payload: JobPayload<Q>;
  /** Earliest start, in milliseconds from now. The default is 0. */
  delay?: number;
  /** True if a client waits for the job, so that it is taken before the jobs that were added earlier. */
  isUrgent?: boolean;
  /** The parent of the job's span, as a W3C `traceparent`. Default: the active span while tracing is enabled. */
  traceparent?: string;
}

/** A job to add to any queue. */
export type AnyJob = { [Q in QueueName]: NewJob<Q> }[QueueName];

/** Builds the job that imports one version of an import process. */
export function importAccountJob(
  payload: JobPayload<'account-imports', 'import-account'>,
  delay = 0,
): NewJob<'account-imports'> {
  return { id: `process-${payload.processId}-${payload.version}`, name: 'import-account', payload, delay };
}

/** The id of the job of a batch. */
export function batchJobId(batchId: string): string {
  return `batch-${batchId}`;
}

/**
 * Builds the job that imports the accounts of a batch. A batch of one account has the job of this account, whose id does
 * not depend on the batch.
 *
 * @param batch up to {@link MAX_BATCH_ACCOUNTS} processes, with the `batch_id` that is stored with them
 */
export function importAccountsJob(
  {
    batchId,
    processes,
    ...shared
  }: JobPayload<'account-imports', 'import-accounts'> & {
    batchId: string;
  },
  delay = 0,
): NewJob<'account-imports'> {
  const [first, ...others] = processes;
  if (first && others.length === 0) return importAccountJob({ ...first, ...shared }, delay);
  return { id: batchJobId(batchId), name: 'import-accounts', payload: { ...shared, processes }, delay };
}

/** Builds the job that inspects one document in the document store. */
export function inspectDocumentJob(
  payload: JobPayload<'documents', 'inspect-document'>,
): NewJob<'documents'> {
  return { id: `document-${payload.documentId}`, name: 'inspect-document', payload };
}

/** Builds the job that sends the one welcome e-mail of an account. */
export function welcomeEmailJob(payload: JobPayload<'emails', 'send-welcome-email'>): NewJob<'emails'> {
  return { id: `welcome-email-${payload.accountId}`, name: 'send-welcome-email', payload };
}

/** A queue and the jobs to add to it, as JobProducer takes them. */
export type JobsOfQueue = [queue: QueueName, jobs: AnyJob[]];

/**
 * Builds the job of one account request.
 *
 * @param inputLength the length of its stored input in characters
 */
export function accountRequestJob(
  kind: 'transactions' | 'payment-instruction' | 'process-account',
  request: AccountRequestJobPayload,
  inputLength = 0,
): JobsOfQueue {
  const id = `account-request-${request.requestId}`;
  const weight = Math.min(MAX_WEIGHT, Math.ceil(inputLength / INPUT_LENGTH_PER_WEIGHT));
  const payload = weight > 1 ? { ...request, weight } : request;
  // The queue may hold a whole book, and the client waits.
  if (kind === 'process-account')
    return ['account-imports', [{ id, name: 'process-account', payload, isUrgent: true }]];
  return kind === 'transactions'
    ? ['transactions', [{ id, name: 'add-transactions', payload }]]
    : ['payment-instructions', [{ id, name: 'verify-payment-instruction', payload }]];
}

/**
 * Builds the job of small transactions requests for different accounts of one supplier. A single request has the same job
 * as {@link accountRequestJob} builds.
 *
 * @param requests 1 to {@link MAX_BATCH_REQUESTS}; each is in one batch only
 */
export function transactionsBatchJob({
  requests,
  ...shared
}: JobPayload<'transactions', 'add-transactions-batch'>): JobsOfQueue {
  const [first, ...others] = requests;
  if (!first) throw new RangeError('A batch has at least one request.');
  const { requestId, externalAccountNumber } = first;
  if (others.length === 0)
    return accountRequestJob('transactions', { ...shared, requestId, externalAccountNumber });
  const id = `account-requests-${requestId}`;
  return ['transactions', [{ id, name: 'add-transactions-batch', payload: { ...shared, requests } }]];
}

/** The part of a payload that decides about the share of its job. */
interface SharedPayload extends OrganisationPayload {
  submissionId?: unknown;
  processes?: unknown;
  requests?: unknown;
  weight?: number;
}

/** The number of accounts that a job stands for: those of its batch, or the weight of its request, otherwise 1. */
export function countAccounts(payload: unknown): number {
  const { processes, requests = processes, weight = 1 } = (payload ?? {}) as SharedPayload;
  return Array.isArray(requests) ? Math.max(1, requests.length) : weight;
}

/** True if the job belongs to an upload, so that jobs for which a client may wait do not wait for it. */
export function isBulk(payload: unknown): boolean {
  return ((payload ?? {}) as SharedPayload).submissionId !== undefined;
}
