import {
  accountRequestJob,
  countAccounts,
  importAccountJob,
  importAccountsJob,
  inspectDocumentJob,
  isBulk,
  performAdditionsJob,
  transactionsBatchJob,
  welcomeEmailJob,
} from './jobs';

const shared = { organisationId: 1, supplier: 'LEGACY', submissionId: '5' };
const first = { processId: '7', version: 2, externalAccountNumber: 'N-7' };
const second = { processId: '8', version: 1, externalAccountNumber: 'N-8' };

describe('the job of a batch', () => {
  it('has an id that is derived from the batch, and ids only', () => {
    expect(importAccountsJob({ ...shared, batchId: '93', processes: [first, second] })).toEqual({
      id: 'batch-93',
      name: 'import-accounts',
      payload: { ...shared, processes: [first, second] },
    });
  });

  it('is the job of the account if the batch has only one', () => {
    expect(importAccountsJob({ ...shared, batchId: '93', processes: [first] })).toEqual(
      importAccountJob({ ...first, ...shared }),
    );
  });

  it('counts as its accounts', () => {
    const { payload } = importAccountsJob({ ...shared, batchId: '93', processes: [first, second] });
    expect([
      countAccounts(payload),
      countAccounts({ ...shared, ...first }),
      countAccounts(undefined),
    ]).toEqual([2, 1, 1]);
  });
});

describe('the job of transactions requests that were stored together', () => {
  const owner = { organisationId: 1, supplier: 'LEGACY' };
  const one = { requestId: '7', externalAccountNumber: 'N-7' };
  const other = { requestId: '8', externalAccountNumber: 'N-8' };

  it('has an id that is derived from its first request, and ids only', () => {
    expect(transactionsBatchJob({ ...owner, requests: [one, other] })).toEqual([
      'transactions',
      [
        {
          id: 'account-requests-7',
          name: 'add-transactions-batch',
          payload: { ...owner, requests: [one, other] },
        },
      ],
    ]);
  });

  it('is the job of the request if there is only one', () => {
    expect(transactionsBatchJob({ ...owner, requests: [{ ...one, traceparent: '00-trace' }] })).toEqual(
      accountRequestJob('transactions', { ...owner, ...one }),
    );
  });

  it('counts as its requests', () => {
    const [, [job]] = transactionsBatchJob({ ...owner, requests: [one, other] });
    expect(countAccounts(job?.payload)).toBe(2);
  });
});

it.each([
  [0, 1],
  [20_000, 1],
  [20_001, 2],
  [180_000, 9],
  [2_000_000, 16],
])('a request with an input of %i characters counts as %i small ones', (inputLength, count) => {
  const request = { organisationId: 1, supplier: 'LEGACY', requestId: '7', externalAccountNumber: 'N-7' };
  const [, [job]] = accountRequestJob('transactions', request, inputLength);
  expect(countAccounts(job?.payload)).toBe(count);
});

it('jobs of submissions are bulk, all others are interactive', () => {
  expect([
    isBulk({ ...shared, ...first }),
    isBulk({ supplier: 'LEGACY', ...first }),
    isBulk(undefined),
  ]).toEqual([true, false, false]);
});

it('a job has the id of its subject, so that it is there once if it is added twice', () => {
  const request = { organisationId: 1, supplier: 'LEGACY', requestId: '7', externalAccountNumber: 'N-7' };
  const additions = { organisationId: 1, supplier: 'LEGACY', submissionId: '5', shard: 3 };
  const requestJobs = (['transactions', 'payment-instruction', 'process-account'] as const).map((kind) => {
    const [queue, [job]] = accountRequestJob(kind, request);
    return [queue, job?.name, job?.id, job?.isUrgent === true];
  });
  expect(requestJobs).toEqual([
    ['transactions', 'add-transactions', 'account-request-7', false],
    ['payment-instructions', 'verify-payment-instruction', 'account-request-7', false],
    ['account-imports', 'process-account', 'account-request-7', true],
  ]);
  const jobs = [
    importAccountJob({ ...shared, ...first }),
    inspectDocumentJob({ documentId: '4' } as Parameters<typeof inspectDocumentJob>[0]),
    welcomeEmailJob({ accountId: '6' } as Parameters<typeof welcomeEmailJob>[0]),
    performAdditionsJob(additions, '9'),
  ];
  expect(jobs.map(({ name, id }) => [name, id])).toEqual([
    ['import-account', 'process-7-2'],
    ['inspect-document', 'document-4'],
    ['send-welcome-email', 'welcome-email-6'],
    ['perform-additions', 'additions-5-3-9'],
  ]);
});
