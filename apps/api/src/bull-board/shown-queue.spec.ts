import { importBatchPage } from './import-batch-page';
import { batchOf } from './shown-queue';

describe('the job of a batch in Bull Board', () => {
  it('is known by its accounts, and other jobs are not', () => {
    const processes = [{ externalAccountNumber: 'N-1' }, { externalAccountNumber: 'N-2' }];
    expect(batchOf({ supplier: 'LEGACY', processes })).toEqual({
      supplier: 'LEGACY',
      accounts: ['N-1', 'N-2'],
    });
    expect(batchOf({ supplier: 'LEGACY', externalAccountNumber: 'N-1' })).toBeUndefined();
    expect(batchOf(undefined)).toBeUndefined();
  });

  it('has a page that links to each import process and escapes text of the supplier', () => {
    const page = importBatchPage(
      'batch-7',
      { supplier: 'LEGACY', accounts: ['N-1', '<script>'] },
      (supplier, number) => `/queues/import-processes/${supplier}/${encodeURIComponent(number)}`,
    );
    expect(page).toContain('<a href="/queues/import-processes/LEGACY/N-1">N-1</a>');
    expect(page).toContain('/queues/import-processes/LEGACY/%3Cscript%3E');
    expect(page).not.toContain('<script>');
  });
});
