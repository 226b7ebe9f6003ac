import { DOCUMENT_STORE, documentKey, type DocumentStore } from '@portage/documents';
import { account } from '@portage/testing';
import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { parseAccountBody } from '../account/account-body';
import { AccountValidation } from '../account/account-validation';
import { ImportAccount } from '../account/import-account';
import { ScheduleAccount } from '../account/schedule-account';
import { OperatorRules } from '../operator-rules/operator-rules';
import { ImportSuppliers } from '../suppliers/import-suppliers';
import { isTransient } from '../transient-failure';

let test: TestApplication;
let stored: StoredProcesses;

beforeAll(async () => {
  test = await startApplication('postgres', { CACHE_SECONDS: '0' });
  stored = new StoredProcesses(test);
  await test.app.get(ImportSuppliers).set('LEGACY', { documentRoot: 'acme' });
  const place = documentKey('acme', 'here.pdf');
  if (place.outcome === 'refused') throw new Error(place.detail);
  await test.app.get<DocumentStore>(DOCUMENT_STORE).put(place.key, Buffer.from('%PDF-1.4\n%%EOF'));
});
afterEach(async () => {
  await test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: false });
  await test.app.get(OperatorRules).setInstanceSettings(['check_file_paths=']);
});
afterAll(async () => {
  await test.app.close();
});

const note = (path: string) => ({ document_paths: [{ document_path: path }] });
const statement = (path: string) => ({
  statement_id: 'ST-1',
  bill_period_from_date: '2024-05-01',
  bill_period_to_date: '2024-05-31',
  statement_path: path,
});

async function errorsOf(more: object, of = test): Promise<string[]> {
  const checked = await of.app
    .get(AccountValidation)
    .check(of.organisationId, parseAccountBody(account(undefined, more)));
  return checked.ok ? [] : checked.errors.map(({ attr, code }) => `${attr} ${code}`);
}

describe('documents of an account', () => {
  it('are stored under their paths without a leading slash, each once', async () => {
    const body = account('papers', {
      notes: [note('/a.pdf'), note('a.pdf')],
      statements: [statement('/2024/05.pdf')],
    });
    await test.app.get(ScheduleAccount).schedule(test.caller, body);
    const [job] = await stored.sql<{ processId: string; version: number }>(
      'SELECT id AS "processId", version FROM import_process',
    );
    expect(await test.app.get(ImportAccount).run(job!, false)).toEqual({ kind: 'processed' });
    expect(await stored.sql('SELECT path, kind FROM document ORDER BY path')).toEqual([
      { path: '2024/05.pdf', kind: 'statement' },
      { path: 'a.pdf', kind: 'note' },
    ]);
    expect(await stored.sql('SELECT statement_path FROM historical_statement')).toEqual([
      { statement_path: '2024/05.pdf' },
    ]);
    expect(await stored.sql('SELECT document_paths FROM note')).toEqual([
      { document_paths: ['a.pdf'] },
      { document_paths: ['a.pdf'] },
    ]);
  });

  it('have paths that stay below the root of the supplier, wherever they stand', async () => {
    const papers = {
      notes: [note('here.pdf'), note('../there.pdf')],
      portfolio: { notes: [note('a\\b.pdf')] },
      statements: [statement('%2e%2e/a.pdf')],
    };
    expect(await errorsOf(papers)).toEqual(
      expect.arrayContaining([
        'notes.1.document_paths.0.document_path invalid',
        'portfolio.notes.0.document_paths.0.document_path invalid',
        'statements.0.statement_path invalid',
      ]),
    );
  });

  it.each([
    [
      'their supplier has them verified',
      () => test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true }),
    ],
    [
      'the whole instance has',
      () => test.app.get(OperatorRules).setInstanceSettings(['check_file_paths=true']),
    ],
  ])('must be there where %s, and need not elsewhere', async (_who, configure) => {
    const papers = {
      notes: [note('/here.pdf'), note('nowhere.pdf')],
      statements: [statement('../here.pdf')],
    };
    expect(await errorsOf(papers)).toEqual(['statements.0.statement_path invalid']);
    await configure();
    expect(await errorsOf(papers)).toEqual([
      'notes.1.document_paths.0.document_path path_does_not_exist_in_file_store',
      'statements.0.statement_path invalid',
    ]);
  });

  it('that cannot be asked for are a failure that will pass, not a fault of the account', async () => {
    const away = await startApplication('postgres', {
      CACHE_SECONDS: '0',
      DOCUMENT_STORE_URL: 'file:///nowhere/at/all',
    });
    try {
      expect(await errorsOf({ notes: [note('here.pdf')] }, away)).toEqual([]);
      await away.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true });
      expect(await errorsOf({}, away)).toEqual([]);
      const failure: unknown = await errorsOf({ notes: [note('here.pdf')] }, away).catch(
        (error: unknown) => error,
      );
      expect(isTransient(failure)).toBe(true);
    } finally {
      await away.app.close();
    }
  });
});

it.each(['..', 'a/../b', 'a\\b', 'C:/a'])('the document root %j is refused', async (documentRoot) => {
  const refused = test.app.get(ImportSuppliers).set('LEGACY', { documentRoot });
  await expect(refused).rejects.toThrow(/--document-root/);
});
