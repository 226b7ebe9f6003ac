import type {
  AccountRequestJobPayload,
  BatchedProcess,
  JobName,
  JobPayload,
  QueueName,
} from './job-contract';

/** Characters of its input for which a large account request counts as one small request. */
const INPUT_LENGTH_PER_WEIGHT = 20_000;

/** The largest weight: as much as a full batch of small requests. */
const MAX_WEIGHT = 16;

/** A job to add. Its id is derived from its subject, so that adding a job twice adds it once. */
export interface NewJob<Q extends QueueName> {
  id: string;
  name: JobName<Q>;
  payload: JobPayload<Q>;
  /** True if a client waits for the job, so that it is taken before the jobs that were added earlier. */
  isUrgent?: boolean;
  /** The parent of the job's span, as a W3C `traceparent`. Default: the active span while tracing is enabled. */
  traceparent?: string;
}

/** A job to add to any queue. */
export type AnyJob = { [Q in QueueName]: NewJob<Q> }[QueueName];

/** The id of the job that imports one version of an import process. */
export function importAccountJobId({
  processId,
  version,
}: Pick<BatchedProcess, 'processId' | 'version'>): string {
  return `process-${processId}-${version}`;
}

/** Builds the job that imports one version of an import process. */
export function importAccountJob(
  payload: JobPayload<'account-imports', 'import-account'>,
): NewJob<'account-imports'> {
  return { id: importAccountJobId(payload), name: 'import-account', payload };
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
export function importAccountsJob({
  batchId,
  processes,
  ...shared
}: JobPayload<'account-imports', 'import-accounts'> & { batchId: string }): NewJob<'account-imports'> {
  const [first, ...others] = processes;
  if (first && others.length === 0) return importAccountJob({ ...first, ...shared });
  return { id: batchJobId(batchId), name: 'import-accounts', payload: { ...shared, processes } };
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

/**
 * Builds the job that performs additions of a submission.
 *
 * @param name distinguishes it from other jobs for the same additions, such as by the last one that it is for
 */
export function performAdditionsJob(additions: JobPayload<'additions'>, name: string): NewJob<'additions'> {
  const { submissionId, shard } = additions;
  return {
    id: `additions-${submissionId}-${shard}-${name}`,
    name: 'perform-additions',
    payload: additions,
  };
}

/** The part of a payload that decides about the share of its job. */
interface SharedPayload {
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
