/** Payload of a job for an account request: the stored request, and the account for logs and Bull Board. */
export interface AccountRequestJobPayload {
  requestId: string;
  supplier: string;
  externalAccountNumber: string;
}

/**
 * Every queue, the names of its jobs, and their payloads. Names never change, because jobs outlive deployments.
 * Payloads hold ids, the supplier code and the external account number, and no personal data.
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
  transactions: {
    'add-transactions': AccountRequestJobPayload;
  };
  'payment-instructions': {
    'verify-payment-instruction': AccountRequestJobPayload;
  };
  documents: {
    'inspect-document': { documentId: string; supplier: string; externalAccountNumber: string };
  };
  emails: {
    'send-welcome-email': { accountId: string; supplier: string; externalAccountNumber: string };
  };
  maintenance: {
    'statement-rollover': Record<string, never>;
    'forget-finished-requests': Record<string, never>;
    'erase-expired-payloads': Record<string, never>;
    'count-import-processes': Record<string, never>;
  };
}

export type QueueName = keyof JobContract;
export type JobName<Q extends QueueName> = keyof JobContract[Q] & string;
export type JobPayload<Q extends QueueName, N extends JobName<Q> = JobName<Q>> = JobContract[Q][N];

/** In the order in which Bull Board shows them. */
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
  /** Earliest start, in milliseconds from now. */
  delay?: number;
  /** The parent of the job's span, as W3C Trace Context has it. Set while tracing is on. */
  traceparent?: string;
}

export type AnyJob = { [Q in QueueName]: NewJob<Q> }[QueueName];

/** The job that imports one version of an import process. */
export function importAccountJob(
  payload: JobPayload<'account-imports', 'import-account'>,
  delay = 0,
): NewJob<'account-imports'> {
  return { id: `process-${payload.processId}-${payload.version}`, name: 'import-account', payload, delay };
}

/** The job that inspects one document in the document store. */
export function inspectDocumentJob(
  payload: JobPayload<'documents', 'inspect-document'>,
): NewJob<'documents'> {
  return { id: `document-${payload.documentId}`, name: 'inspect-document', payload };
}

/** The job that sends the one welcome e-mail of an account. */
export function welcomeEmailJob(payload: JobPayload<'emails', 'send-welcome-email'>): NewJob<'emails'> {
  return { id: `welcome-email-${payload.accountId}`, name: 'send-welcome-email', payload };
}

/** The queue and the job of one account request. */
export function accountRequestJob(
  kind: 'transactions' | 'payment-instruction',
  payload: AccountRequestJobPayload,
): [QueueName, AnyJob[]] {
  const id = `account-request-${payload.requestId}`;
  return kind === 'transactions'
    ? ['transactions', [{ id, name: 'add-transactions', payload }]]
    : ['payment-instructions', [{ id, name: 'verify-payment-instruction', payload }]];
}
