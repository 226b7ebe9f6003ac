/** A request that a worker does while its client waits, and the account that it is about. */
export interface AccountRequestJobPayload {
  requestId: string;
  supplier: string;
  externalAccountNumber: string;
}

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
  transactions: {
    'add-transactions': AccountRequestJobPayload;
    /** Requests that came together. */
    'add-transactions-together': { requests: readonly AccountRequestJobPayload[] };
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

/** In the order in which an operator looks at them. */
export const QUEUE_NAMES = [
  'account-imports',
  'transactions',
  'payment-instructions',
  'documents',
  'emails',
  'maintenance',
] as const satisfies readonly QueueName[];

/** A job to add. The id is derived from what it is about, so adding it twice is adding it once. */
export interface NewJob<Q extends QueueName> {
  id: string;
  name: JobName<Q>;
  payload: JobPayload<Q>;
  /** Earliest start, in milliseconds from now. */
  delay?: number;
  /** The span that it goes on from, where somebody traces. */
  traceparent?: string;
}

export type AnyJob = { [Q in QueueName]: NewJob<Q> }[QueueName];

/** The job that works on one version of an import process. */
export function importAccountJob(
  about: JobPayload<'account-imports', 'import-account'>,
  delay = 0,
): NewJob<'account-imports'> {
  return { id: `process-${about.processId}-${about.version}`, name: 'import-account', payload: about, delay };
}

/** The job that looks at one document in the object store. */
export function inspectDocumentJob(about: JobPayload<'documents', 'inspect-document'>): NewJob<'documents'> {
  return { id: `document-${about.documentId}`, name: 'inspect-document', payload: about };
}

/** The job that sends the one welcome e-mail of an account. */
export function welcomeEmailJob(about: JobPayload<'emails', 'send-welcome-email'>): NewJob<'emails'> {
  return { id: `welcome-email-${about.accountId}`, name: 'send-welcome-email', payload: about };
}

/** The job that does a request while the API waits, and its queue. */
export function accountRequestJob(
  kind: 'transactions' | 'payment-instruction',
  about: AccountRequestJobPayload,
): [QueueName, AnyJob[]] {
  return kind === 'transactions'
    ? ['transactions', [addTransactionsJob([about])]]
    : [
        'payment-instructions',
        [{ id: requestJobId(about), name: 'verify-payment-instruction', payload: about }],
      ];
}

/** The job that does requests to add transactions which came together: for several a part of the cost of one each. */
export function addTransactionsJob(requests: readonly AccountRequestJobPayload[]): NewJob<'transactions'> {
  const [first] = requests;
  if (first && requests.length === 1)
    return { id: requestJobId(first), name: 'add-transactions', payload: first };
  const ids = requests.map(({ requestId }) => requestId);
  return {
    id: `account-requests-${ids.join('-')}`,
    name: 'add-transactions-together',
    payload: { requests },
  };
}

function requestJobId({ requestId }: AccountRequestJobPayload): string {
  return `account-request-${requestId}`;
}
