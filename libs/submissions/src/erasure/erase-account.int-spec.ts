import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  AccountRequestRepository,
  AddHistoricalStatements,
  AddNotes,
  InspectAccount,
  RollOverStatementPeriods,
} from '@portage/accounts';
import { ImportStatus } from '@portage/imports';
import { SearchAudit } from '@portage/operators';
import {
  Database,
  DOCUMENT_STORE,
  documentKey,
  type DocumentKey,
  type DocumentStore,
  DocumentStoreUnavailable,
} from '@portage/platform';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import { newDirectory } from '@portage/testing';
import {
  importAccounts,
  ImportedTestAccount,
  mark,
  markedAccount,
  MARKER,
  payment,
  refusedWith,
  scheduleAccount,
  tablesWith,
  useApplication,
} from '@portage/testing/application';
import { EraseAccount } from './erase-account';

/** Personal data of the example that cannot be markers: numbers of telephones, meters and supply points, codes, a birthday. */
const UNMARKED_DATA = [
  '7400123456',
  '1212345678',
  'NN99',
  '1000000000110',
  'Z21A004410',
  '00-0B-6B',
  '1961-04-09',
  'mandate-1',
  'ledger-energy',
  'HB-0001',
  'DDM-77120',
  'CUSTOMER-KEY',
];

/** Retained with the process only, to refuse a second import. */
const IDENTIFIER = 'IDENTIFIER-OF-E-1';

const documents = newDirectory();
const test = useApplication('postgres', {
  DOCUMENT_STORE_URL: `file://${documents}`,
  OUTCOME_WAIT_MS: '2000',
});

beforeAll(async () => {
  await test.app.get(ImportSuppliers).set('LEGACY', { sendMigrationEmails: true });
  await test.app.get(ImportSuppliers).create('NESTED', 'Supplier Ltd', { documentRoot: 'LEGACY/nested' });
});

const store = () => test.app.get<DocumentStore>(DOCUMENT_STORE);
const erase = async (number: string, keepsDocuments = false) =>
  test.app.get(EraseAccount).erase(number, { keepsDocuments });

async function numberOf(externalAccountNumber: string): Promise<string> {
  const [row] = await test.sql<{ number: string }>(
    'SELECT number FROM account WHERE external_account_number = $1',
    [externalAccountNumber],
  );
  return row!.number;
}

/** Creates the marked account and adds marked notes, statements, transactions and instructions, processed and pending. */
async function createWithAdditions(number: string): Promise<ImportedTestAccount> {
  const { import_supplier: _, external_account_number: __, ...rest } = markedAccount(number);
  // Posted with a key, whose answer names undocumented fields.
  const account = await ImportedTestAccount.create(
    test,
    number,
    { ...rest, external_identifier: IDENTIFIER },
    'CUSTOMER-KEY-0',
  );
  const about = { import_supplier: 'LEGACY', external_account_number: number };
  await test.app.get(AddNotes).add({
    ...test.caller,
    body: {
      ...about,
      notes: [{ body: mark(), external_id: mark(), document_paths: [{ document_path: `${mark()}.pdf` }] }],
    },
    key: 'CUSTOMER-KEY-1',
  });
  await test.app.get(AddHistoricalStatements).add({
    ...test.caller,
    body: {
      ...about,
      statements: [
        {
          statement_id: mark(),
          bill_period_from_date: '2024-03-01',
          bill_period_to_date: '2024-03-31',
          number: mark(),
          statement_path: `${mark()}.pdf`,
        },
      ],
    },
    key: 'CUSTOMER-KEY-2',
  });
  const posted = [{ ...payment(mark(), 12.5), reference: mark(), note: mark(), display_note: mark() }];
  await account.add(posted, { key: 'CUSTOMER-KEY-3' });
  await test.app.get(AccountRequestRepository).submit({
    organisationId: test.organisationId,
    accountId: account.id,
    kind: 'payment-instruction',
    fingerprint: Buffer.from(randomUUID()),
    idempotencyKey: 'CUSTOMER-KEY-4',
    actor: 'api-key:test',
    input: JSON.stringify({ reference: mark() }),
  });
  await account.activate(mark(), { customerReference: mark(), details: { brand: mark() } });
  return account;
}

describe('an erased account', () => {
  let account: ImportedTestAccount;
  let number: string;
  let before: { events: unknown[]; amounts: unknown[]; balances: string[] };

  const events = async () =>
    test.sql('SELECT event, version, attempt, occurred_at, error_code FROM import_process_event ORDER BY 4');
  const amounts = async () =>
    account.sql('SELECT type, amount, transaction_date FROM transaction WHERE account_id = $1 ORDER BY id');

  beforeAll(async () => {
    account = await createWithAdditions('E-1');
    number = await numberOf('E-1');
    before = { events: await events(), amounts: await amounts(), balances: await account.balances() };
    // All tables of an account except statement_period, which has dates and amounts only.
    expect(await tablesWith(test, MARKER.source)).toEqual([
      'account',
      'account_reference',
      'account_request',
      'agreement',
      'charged_period',
      'customer',
      'debt',
      'document',
      'held_role',
      'historical_statement',
      'idempotency_key',
      'import_process',
      'import_process_payload',
      'ledger',
      'note',
      'payment_instruction',
      'supply_point',
      'transaction',
      'welcome_email',
    ]);
    await erase(number);
  });

  it('leaves no personal data in any table', async () => {
    expect(await tablesWith(test, MARKER.source)).toEqual([]);
    for (const text of UNMARKED_DATA) expect([text, await tablesWith(test, text)]).toEqual([text, []]);
  });

  it('leaves its external identifier in its process only, where it refuses a second import', async () => {
    expect(await tablesWith(test, IDENTIFIER)).toEqual(['import_process']);
    const again = { ...markedAccount('E-1 again'), external_identifier: IDENTIFIER };
    expect(await refusedWith(scheduleAccount(test, test.caller, again))).toBe(
      'external_identifier_already_exists',
    );
  });

  it('leaves its process with all events, and its transactions without texts', async () => {
    expect({ events: await events(), amounts: await amounts(), balances: await account.balances() }).toEqual(
      before,
    );
    expect(before.amounts.length).toBeGreaterThan(5);
    expect(await test.app.get(ImportStatus).readV2(test.organisationId, 'LEGACY', IDENTIFIER)).toMatchObject({
      view: { status: 'PROCESSED' },
      payloadDigest: null,
    });
    const details = await test.app.get(InspectAccount).show(number);
    expect(details).toMatchObject({ customers: [], notes: [], payload: null, paymentInstructions: [] });
    expect(details.account.erasedAt).not.toBeNull();
  });

  it('is not imported again when it is posted again', async () => {
    const again = scheduleAccount(test, test.caller, markedAccount('E-1'));
    expect(await refusedWith(again)).toBe('account_import_process_already_imported');
    expect(await tablesWith(test, MARKER.source)).toEqual([]);
  });

  it('accepts no later requests', async () => {
    const body = { import_supplier: 'LEGACY', external_account_number: 'E-1', notes: [{ body: mark() }] };
    const note = test.app.get(AddNotes).add({ ...test.caller, body });
    expect(await refusedWith(note)).toBe('account_not_found');
    expect(await refusedWith(account.send([payment(mark())]))).toBe('account_not_found');
    expect(await tablesWith(test, MARKER.source)).toEqual([]);
  });

  it('gets no new statement periods', async () => {
    await test.sql('UPDATE statement_period SET end_date = start_date WHERE start_date IS NOT NULL');
    expect(await test.app.get(RollOverStatementPeriods).run()).toBe(0);
  });

  it('has one audit entry without personal data', async () => {
    expect(await erase(number)).toMatchObject({ isNew: false, removedDocuments: [] });
    const { items } = await test.app.get(SearchAudit).search({ action: 'account.erase' }, { limit: 100 });
    expect(items).toMatchObject([
      { import_supplier: 'LEGACY', subject: number, details: { documents_left: 0 } },
    ]);
  });

  it('is not found if its number is unknown', async () => {
    await expect(erase('A-00000000')).rejects.toThrow('There is no account A-00000000.');
  });
});

describe('requests during an erasure', () => {
  it('add no note and no transactions, although they found the account before', async () => {
    const account = await ImportedTestAccount.create(test, 'E-RACE');
    const number = await numberOf('E-RACE');
    const transactions = refusedWith(account.send([payment(mark())]));
    await account.waitForPending();
    const waiting: Promise<unknown>[] = [];
    await test.app.get(Database).transaction(async (executor) => {
      await executor.run({ name: '', text: 'SELECT 1 FROM account WHERE id = $1 FOR UPDATE' }, [account.id]);
      // The erasure waits for the lock first, then the note.
      waiting.push(erase(number));
      await test.untilWaiting(1);
      const body = {
        import_supplier: 'LEGACY',
        external_account_number: 'E-RACE',
        notes: [{ body: mark() }],
      };
      waiting.push(refusedWith(test.app.get(AddNotes).add({ ...test.caller, body })));
      await test.untilWaiting(2);
    });
    expect((await Promise.all(waiting))[1]).toBe('account_not_found');
    expect(await tablesWith(test, MARKER.source)).toEqual([]);
    expect(await transactions).toBe('unavailable');
  });
});

describe('a request that arrives while an account is erased', () => {
  it.each(['with', 'without'])('is not stored, %s an idempotency key', async (what) => {
    const account = await ImportedTestAccount.create(test, `E-RACE-${what}`);
    const number = await numberOf(`E-RACE-${what}`);
    const { remove } = store();
    let finish: () => void = () => undefined;
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const path = `${what}.pdf`;
    await account.sql(`INSERT INTO document (account_id, path, kind) VALUES ($1, $2, 'note')`, [path]);
    let erasure: Promise<unknown> = Promise.resolve();
    const isRemoving = new Promise<void>((resolve) => {
      store().remove = async () => {
        resolve();
        await mayFinish;
      };
    });
    try {
      erasure = erase(number);
      await isRemoving;
      // The account is found, because the erasure has not been committed.
      const sent = refusedWith(
        account.send([payment(mark())], what === 'with' ? { key: 'CUSTOMER-KEY-5' } : {}),
      );
      await test.untilWaiting(1, '%living%');
      finish();
      expect(await erasure).toMatchObject({ isNew: true });
      expect(await sent).toBe('account_not_found');
    } finally {
      finish();
      await erasure;
      store().remove = remove;
    }
    expect(await account.sql('SELECT 1 FROM account_request WHERE account_id = $1')).toEqual([]);
    expect(await tablesWith(test, MARKER.source)).toEqual([]);
  });
});

describe('the documents of an erased account', () => {
  const keyOf = (path: string): DocumentKey => {
    const resolved = documentKey('LEGACY', path);
    if (resolved.outcome === 'refused') throw new Error(resolved.detail);
    return resolved.key;
  };
  const withDocuments = async (number: string, ...paths: string[]) => {
    for (const path of paths) await store().put(keyOf(path), Buffer.from('letter'));
    await ImportedTestAccount.create(test, number, {
      notes: [{ body: 'Letters.', document_paths: paths.map((path) => ({ document_path: path })) }],
    });
    return numberOf(number);
  };
  const exists = (path: string) => existsSync(join(documents, 'LEGACY', path));

  it('are removed unless another account uses them', async () => {
    const number = await withDocuments('D-1', 'D-1/letter.pdf', 'leaflet.pdf');
    await withDocuments('D-2', 'D-2/letter.pdf', 'leaflet.pdf');
    expect(await erase(number)).toMatchObject({
      removedDocuments: ['D-1/letter.pdf'],
      leftDocuments: ['leaflet.pdf'],
    });
    expect(['D-1/letter.pdf', 'leaflet.pdf', 'D-2/letter.pdf'].map(exists)).toEqual([false, true, true]);
  });

  it.each([
    ['in another spelling of its name', 'LEGACY', 'Caf\u00e9.PDF', 'cafe\u0301.pdf'],
    ['below the root of another supplier', 'NESTED', 'nested/letter.pdf', 'letter.pdf'],
  ])('are left if another account names one %s', async (_what, supplier, path, otherPath) => {
    const number = await withDocuments(`D-5 ${supplier}`, path);
    await scheduleAccount(test, test.caller, {
      import_supplier: supplier,
      external_account_number: `D-6 ${supplier}`,
      notes: [{ body: 'A letter.', document_paths: [{ document_path: otherPath }] }],
    });
    await importAccounts(test, `D-6 ${supplier}`);
    expect(await erase(number)).toMatchObject({ removedDocuments: [], leftDocuments: [path] });
    expect(exists(path)).toBe(true);
  });

  it("are left if another organisation's account names one, whatever the roots are", async () => {
    const number = await withDocuments('D-7', 'other/letter.pdf');
    await test.app.get(Organisations).create('Other Ltd');
    const other = await test.app.get(ImportSuppliers).create('OTHER', 'Other Ltd', {});
    const foreign = await ImportedTestAccount.create(test, 'D-8', {
      notes: [{ body: 'A letter.', document_paths: [{ document_path: 'letter.pdf' }] }],
    });
    // As no release stores it any more.
    await test.sql('ALTER TABLE import_supplier DISABLE TRIGGER import_supplier_document_root_apart');
    await test.sql(`UPDATE import_supplier SET document_root = 'LEGACY/other' WHERE code = 'OTHER'`);
    await test.sql('ALTER TABLE import_supplier ENABLE TRIGGER import_supplier_document_root_apart');
    await foreign.sql('UPDATE account SET supplier_id = $2 WHERE id = $1', [other.id]);
    expect(await erase(number)).toMatchObject({ leftDocuments: ['other/letter.pdf'] });
    expect(exists('other/letter.pdf')).toBe(true);
  });

  it('are left and listed with --keep-documents', async () => {
    const number = await withDocuments('D-3', 'D-3/letter.pdf');
    expect(await erase(number, true)).toMatchObject({ leftDocuments: ['D-3/letter.pdf'] });
    expect(exists('D-3/letter.pdf')).toBe(true);
  });

  it('prevent the erasure while the document store does not answer', async () => {
    const number = await withDocuments('D-4', 'D-4/letter.pdf');
    const { remove } = store();
    store().remove = async () => Promise.reject(new DocumentStoreUnavailable('ECONNREFUSED'));
    try {
      await expect(erase(number)).rejects.toThrow('(ECONNREFUSED). The account has not been erased.');
    } finally {
      store().remove = remove;
    }
    expect((await test.app.get(InspectAccount).show(number)).notes).toHaveLength(1);
    expect(await erase(number)).toMatchObject({ isNew: true, removedDocuments: ['D-4/letter.pdf'] });
  });
});
