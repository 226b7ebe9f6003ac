import { AccountValidation } from '@portage/imports';
import { DOCUMENT_STORE, documentKey, type DocumentStore } from '@portage/platform';
import { ImportSupplierDirectory, ImportSuppliers, OperatorRules } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  importAccounts,
  scheduleAccount,
  StoredProcesses,
  type TestApplication,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { isTransient } from '../requests/transient-failure';

const test = useApplication('postgres', {}, WITHOUT_CACHES);
const stored = new StoredProcesses(test);

beforeAll(async () => {
  await test.app.get(ImportSuppliers).set('LEGACY', { documentRoot: 'acme' });
  const place = documentKey('acme', 'here.pdf');
  if (place.outcome === 'refused') throw new Error(place.detail);
  await test.app.get<DocumentStore>(DOCUMENT_STORE).put(place.key, Buffer.from('%PDF-1.4\n%%EOF'));
});
afterEach(async () => {
  await test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: false });
  await test.app.get(OperatorRules).setInstanceSettings(['check_file_paths=']);
});

const note = (path: string) => ({ document_paths: [{ document_path: path }] });
const statement = (path: string) => ({
  statement_id: 'ST-1',
  bill_period_from_date: '2024-05-01',
  bill_period_to_date: '2024-05-31',
  statement_path: path,
});

/** The supplier with its present settings. */
const currentSupplier = async (of: TestApplication) =>
  of.app.get(ImportSupplierDirectory).find(of.organisationId, of.supplier.code);

async function errorsOf(more: object, of = test): Promise<string[]> {
  const checked = await of.app
    .get(AccountValidation)
    .check(await currentSupplier(of), account(undefined, more));
  return checked.ok ? [] : checked.errors.map(({ attr, code }) => `${attr} ${code}`);
}

describe('documents of an account', () => {
  it('are stored once each, by their paths without a leading slash', async () => {
    const body = account('documented', {
      notes: [note('/a.pdf'), note('a.pdf')],
      statements: [statement('/2024/05.pdf')],
    });
    await scheduleAccount(test, test.caller, body);
    expect(await importAccounts(test, 'documented')).toEqual(['processed']);
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

  it('must have paths below the document root of the supplier', async () => {
    const documented = {
      notes: [note('here.pdf'), note('../there.pdf')],
      portfolio: { notes: [note('a\\b.pdf')] },
      statements: [statement('%2e%2e/a.pdf')],
    };
    expect(await errorsOf(documented)).toEqual(
      expect.arrayContaining([
        'notes.1.document_paths.0.document_path invalid',
        'portfolio.notes.0.document_paths.0.document_path invalid',
        'statements.0.statement_path invalid',
      ]),
    );
  });

  it.each([
    [
      'the supplier verifies documents',
      () => test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true }),
    ],
    [
      'the instance verifies documents',
      () => test.app.get(OperatorRules).setInstanceSettings(['check_file_paths=true']),
    ],
  ])('must be stored only if %s', async (_who, configure) => {
    const documented = {
      notes: [note('/here.pdf'), note('nowhere.pdf')],
      statements: [statement('../here.pdf')],
    };
    expect(await errorsOf(documented)).toEqual(['statements.0.statement_path invalid']);
    await configure();
    expect(await errorsOf(documented)).toEqual([
      'notes.1.document_paths.0.document_path path_does_not_exist_in_file_store',
      'statements.0.statement_path invalid',
    ]);
  });

  describe('an unavailable document store', () => {
    const unavailable = useApplication(
      'postgres',
      { DOCUMENT_STORE_URL: 'file:///nowhere/at/all' },
      WITHOUT_CACHES,
    );

    it('makes documents that are to be verified a transient error', async () => {
      expect(await errorsOf({ notes: [note('here.pdf')] }, unavailable)).toEqual([]);
      await unavailable.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true });
      expect(await errorsOf({}, unavailable)).toEqual([]);
      const failure: unknown = await errorsOf({ notes: [note('here.pdf')] }, unavailable).catch(
        (error: unknown) => error,
      );
      expect(isTransient(failure)).toBe(true);
    });
  });
});
