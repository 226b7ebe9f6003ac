import {
  insertAccounts,
  insertProcesses,
  SessionDatabase,
  useCountingExecutor,
} from '@portage/testing/application';
import { DocumentRepository } from './document.repository';

/** Documents of other accounts, which are stored after the statements were planned. */
const STORED = 20_000;

/** Pages that a statement may read: a few levels of the indexes of three tables. */
const MAX_PAGES = 60;

describe('the cost of a list of documents, planned while none were stored', () => {
  const executor = useCountingExecutor('Own', 'Other');
  const documents = new DocumentRepository(undefined as never, new SessionDatabase(executor));

  beforeAll(async () => {
    await documents.listUnsettled(1, 'MISSING', undefined, 10);
    await executor.client.query(`
      ${insertProcesses(`generate_series(1, ${STORED}) AS n`, {
        supplier_id: '1 + n % 2',
        status: `'PROCESSED'`,
        account_number: `'A-' || n`,
      })};
      ${insertAccounts('import_process ORDER BY id')};
      INSERT INTO document (account_id, path, kind) SELECT id, 'letters/' || id || '.pdf', 'note' FROM account;`);
  });

  it('is small for a page of what is missing', async () => {
    await executor.client.query(
      `UPDATE document SET state = 'MISSING', error_code = 'x', unsettled_supplier_id = 1
       WHERE id IN (SELECT document.id FROM document JOIN account ON account.id = account_id
         WHERE supplier_id = 1 AND state = 'PENDING' ORDER BY account.external_account_number LIMIT 10)`,
    );
    const listed = await executor.within(MAX_PAGES, documents.listUnsettled(1, 'MISSING', undefined, 5));
    expect(listed).toHaveLength(5);
  });
});
