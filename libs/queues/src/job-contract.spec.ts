import { countAccounts, importAccountJob, importAccountsJob, isBulk } from './job-contract';

const shared = { organisationId: 1, supplier: 'LEGACY', submissionId: '5' };
const first = { processId: '7', version: 2, externalAccountNumber: 'N-7' };
const second = { processId: '8', version: 1, externalAccountNumber: 'N-8' };

describe('the job of a batch', () => {
  it('has an id that is derived from the batch, and ids only', () => {
    expect(importAccountsJob({ ...shared, batchId: '93', processes: [first, second] }, 1_000)).toEqual({
      id: 'batch-93',
      name: 'import-accounts',
      payload: { ...shared, processes: [first, second] },
      delay: 1_000,
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

it('jobs of submissions are bulk, all others are interactive', () => {
  expect([
    isBulk({ ...shared, ...first }),
    isBulk({ supplier: 'LEGACY', ...first }),
    isBulk(undefined),
  ]).toEqual([true, false, false]);
});
