import { Database, type Executor } from '@portage/platform';
import {
  countRowsRead,
  insertProcesses,
  StoredProcesses,
  useApplication,
} from '@portage/testing/application';
import { FindProcesses } from './find-processes';
import type { PageReads } from './page-reads';

const STORED = 5_000;

describe('the search over all suppliers', () => {
  const test = useApplication('postgres');
  const processes = new StoredProcesses(test);

  it('reads the processes that it finds, and no others', async () => {
    await processes.inState('PROCESSED');
    const [imported] = await processes.sql<{ number: string; external: string }>(
      'SELECT account_number AS number, external_account_number AS external FROM import_process',
    );
    await processes.sql(
      insertProcesses(`generate_series(1, ${STORED}) AS made`, {
        supplier_id: '(SELECT min(id) FROM import_supplier)',
        status: `'PENDING'`,
        external_account_number: `'N-' || made`,
      }),
    );
    let read = NaN;
    const search = new FindProcesses({
      run: async (work: (reads: Executor) => Promise<unknown>) =>
        test.app.get(Database).transaction(async (executor) => {
          let found: unknown;
          read = await countRowsRead(executor, 'import_process', async () => {
            found = await work(executor);
          });
          return found;
        }),
    } as PageReads);
    for (const number of [imported!.number, imported!.external, 'N-7']) {
      expect(await search.find(number)).toHaveLength(1);
      expect(read).toBeLessThan(5);
    }
  });
});
