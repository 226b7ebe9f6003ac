import { CorrectAccount } from '@portage/imports';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import {
  eraseAccount,
  importAccounts,
  ImportedTestAccount,
  refusedWith,
  supplyCharge,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { DataSource } from 'typeorm';
import { AddNotes } from '../notes/add-notes';
import { AddHistoricalStatements } from '../statements/add-historical-statements';
import { EFFECT_ON_BALANCE } from '../transactions/balance';
import type { AdditionList } from './additions';
import type { AddedNote, AdditionsView } from './additions.dto';
import { type AdditionsQuery, ReadAdditions } from './read-additions';

/** An account with a row of each kind and two ledgers. */
const content = (more: object = {}) => ({
  customers: [{ given_name: 'Maeve', family_name: 'Aldous' }],
  transfer_balance: '-5.00',
  ledgers: [
    {
      ledger_code: 'MAIN',
      ledger_balance: '-10.00',
      current_statement_transactions: [
        {
          transaction_id: 'T-1',
          type: 'CHARGE',
          amount: '10.00',
          transaction_date: '2026-11-01',
          reason: 'IMPORTED_CHARGE',
        },
      ],
    },
    {
      ledger_code: 'HEAT',
      ledger_balance: '5.00',
      current_statement_transactions: [
        {
          transaction_id: 'T-2',
          type: 'CREDIT',
          amount: '5.00',
          transaction_date: '2026-11-01',
          reason: 'IMPORTED_CREDIT',
        },
      ],
    },
  ],
  notes: [{ body: 'Sent with the account.' }],
  statements: [
    {
      statement_id: 'S-0',
      bill_period_from_date: '2024-01-01',
      bill_period_to_date: '2024-01-31',
      statement_path: 's-0.pdf',
    },
  ],
  ...more,
});

const test = useApplication('postgres', {}, WITHOUT_CACHES);

const read = async (number: string, query: Partial<AdditionsQuery> = {}, caller = test.caller) =>
  test.app
    .get(ReadAdditions)
    .read(caller, 'LEGACY', number, { kind: undefined, limit: undefined, after: undefined, ...query });

/** All additions of a kind, in pages. */
async function readAll(number: string, kind: AdditionList, limit: number): Promise<AdditionsView[]> {
  const pages = [await read(number, { kind, limit })];
  for (let next = pages[0]!.next; next !== null; next = pages.at(-1)!.next)
    pages.push(await read(number, { kind, limit, after: next }));
  return pages;
}

const imported = async (number: string) => ImportedTestAccount.create(test, number, content());

const request = (number: string, body: object) => ({
  ...test.caller,
  body: { import_supplier: 'LEGACY', external_account_number: number, ...body },
});

const addNotes = async (number: string, notes: object[]) =>
  test.app.get(AddNotes).add(request(number, { notes }));

const addStatements = async (number: string, statements: object[]) =>
  test.app.get(AddHistoricalStatements).add(
    request(number, {
      statements: statements.map((one) => ({
        bill_period_from_date: '2024-02-01',
        bill_period_to_date: '2024-02-29',
        ...one,
      })),
    }),
  );

const payment = (id: string, date: string, amount = '4.00') => ({
  transaction_id: id,
  type: 'PAYMENT',
  amount,
  transaction_date: date,
  reason: 'ACCOUNT_CHARGE_PAYMENT',
  reference: `REF-${id}`,
});

/** Pages that a statement may read: a few levels of a few indexes. */
const MAX_PAGES = 40;

/** A supply point that is billed on the second ledger. */
const POINT = '1000000000110';

const NOTHING = { notes: 0, transactions: 0, historical_statements: 0, payment_instructions: 0 };

describe('the additions to an account', () => {
  it('are none after the import, whatever came with the account', async () => {
    await imported('untouched');
    expect(await read('untouched')).toEqual({
      balances: [
        { ledger_code: 'MAIN', balance: '-10.00', currency: 'GBP' },
        { ledger_code: 'HEAT', balance: '5.00', currency: 'GBP' },
      ],
      counts: NOTHING,
      items: [],
      next: null,
    });
    for (const kind of ['notes', 'transactions', 'historical_statements', 'payment_instructions'] as const)
      expect(await read('untouched', { kind })).toMatchObject({ items: [], next: null });
  });

  it('are notes with their times, and the note about moved transactions', async () => {
    const account = await imported('notes');
    await addNotes('notes', [
      { body: 'Called on Monday.', external_id: 'N-1', created_at: '2026-11-02T08:00:00Z' },
      {
        document_paths: [{ document_path: '/letters/1.pdf' }],
        is_pinned: true,
        unpin_at: '2027-01-01T00:00:00Z',
        is_archived: true,
      },
    ]);
    await account.add([payment('T-3', '2020-01-01')]);
    const { counts, items } = await read('notes', { kind: 'notes' });
    expect(counts).toEqual({ ...NOTHING, notes: 3, transactions: 1 });
    expect(items).toEqual([
      {
        body: 'Called on Monday.',
        created_at: '2026-11-02T08:00:00.000000+00:00',
        external_id: 'N-1',
        is_pinned: false,
        unpin_at: null,
        is_archived: false,
        document_paths: [],
      },
      {
        body: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/) as string,
        external_id: null,
        is_pinned: true,
        unpin_at: '2027-01-01T00:00:00.000000+00:00',
        is_archived: true,
        document_paths: ['letters/1.pdf'],
      },
      expect.objectContaining({ body: expect.stringContaining('was moved into it') as string }),
    ]);
  });

  it('are transactions as they are booked, and the balances are the sums of all entries', async () => {
    const account = await (await imported('booked')).withOpenPeriod('2026-10-21', '2026-11-20');
    await account.sql(
      `UPDATE ledger SET details = json_build_object('identifiers', ARRAY[$2]) WHERE account_id = $1 AND position = 1`,
      [POINT],
    );
    await account.add([
      payment('T-3', '2026-10-28'),
      supplyCharge('T-4', POINT, '2024-06-01', '2024-06-14'),
      { ...payment('T-5', '2026-11-01', '-1.00'), type: 'CHARGE', reason: 'IMPORTED_CHARGE' },
    ]);
    const { balances, items } = await read('booked', { kind: 'transactions' });
    expect(balances).toMatchObject([
      { ledger_code: 'MAIN', balance: '-5.00' },
      { ledger_code: 'HEAT', balance: '0.00' },
    ]);
    expect(
      await account.sql(
        `SELECT sum(${EFFECT_ON_BALANCE})::text AS balance FROM transaction WHERE account_id = $1
         GROUP BY ledger_position ORDER BY ledger_position`,
      ),
    ).toEqual(balances.map(({ balance }) => ({ balance })));
    const booked = {
      type: 'PAYMENT',
      original_date: null,
      statement_period: { from: '2026-10-21', to: '2026-11-20' },
      ledger_code: 'MAIN',
    };
    expect(items).toEqual([
      {
        ...booked,
        transaction_id: 'T-3',
        amount: '4.00',
        transaction_date: '2026-10-28',
        reason: 'ACCOUNT_CHARGE_PAYMENT',
        details: { reference: 'REF-T-3' },
      },
      {
        ...booked,
        transaction_id: 'T-4',
        type: 'SUPPLY_CHARGE',
        amount: '5.00',
        transaction_date: '2026-10-21',
        original_date: '2024-06-15',
        ledger_code: 'HEAT',
        reason: null,
        details: expect.objectContaining({
          product_code: 'HOME-VAR',
          supply_point_identifier: POINT,
        }) as object,
      },
      expect.objectContaining({ transaction_id: 'T-5', type: 'CHARGE', amount: '-1.00' }),
    ]);
  });

  it('are statements with the states of their documents, in the order in which they were added', async () => {
    const account = await imported('statements');
    await addStatements('statements', [
      { statement_id: 'S-9', statement_path: '/a.pdf', gross_amount: 11261, number: '7' },
    ]);
    await addStatements('statements', [
      { statement_id: 'S-1', statement_path: 'b.pdf', issued_date: '2024-03-01' },
      { statement_id: 'S-2', gross_amount: '1.5' },
    ]);
    await account.sql(
      `UPDATE document SET state = 'REFUSED', error_code = 'unsupported_media_type', unsettled_supplier_id =
         (SELECT supplier_id FROM account WHERE id = $1) WHERE account_id = $1 AND path = 'b.pdf'`,
    );
    const statement = {
      bill_period_from_date: '2024-02-01',
      bill_period_to_date: '2024-02-29',
      issued_date: null,
      number: null,
      gross_amount: null,
    };
    const pages = await readAll('statements', 'historical_statements', 1);
    expect(pages.map(({ next }) => next)).toEqual(['S-9', 'S-1', null]);
    expect(pages.flatMap(({ items }) => items)).toEqual([
      {
        ...statement,
        statement_id: 'S-9',
        number: '7',
        gross_amount: '11261',
        statement_path: 'a.pdf',
        document: { state: 'PENDING', error_code: null },
      },
      {
        ...statement,
        statement_id: 'S-1',
        issued_date: '2024-03-01',
        statement_path: 'b.pdf',
        document: { state: 'REFUSED', error_code: 'unsupported_media_type' },
      },
      { ...statement, statement_id: 'S-2', gross_amount: '1.5', statement_path: null, document: null },
    ]);
  });

  it('are payment instructions, but none that came with the account and was confirmed since', async () => {
    const sent = { vendor: 'STRIPE', type: 'CARD', reference: 'pm_confirmed' };
    const confirmed = await ImportedTestAccount.create(
      test,
      'confirmed',
      content({ payment_instructions: [sent] }),
    );
    await confirmed.activate('pm_confirmed');
    expect(await read('confirmed', { kind: 'payment_instructions' })).toMatchObject({
      counts: NOTHING,
      items: [],
    });
    const replaced = await imported('replaced');
    await replaced.activate('pm_first');
    await replaced.activate('pm_second');
    const { counts, items } = await read('replaced', { kind: 'payment_instructions' });
    expect(counts).toEqual({ ...NOTHING, payment_instructions: 2 });
    const card = {
      type: 'CARD',
      vendor: 'STRIPE',
      ledger_code: null,
      verified_at: expect.stringMatching(/\.\d{6}\+00:00$/) as string,
    };
    expect(items).toEqual([
      { ...card, reference: 'pm_first', is_active: false },
      { ...card, reference: 'pm_second', is_active: true },
    ]);
  });

  it('are read in pages of any size, each once', async () => {
    await imported('pages');
    const bodies = Array.from({ length: 250 }, (_, index) => `Note ${index}`);
    await addNotes(
      'pages',
      bodies.map((body) => ({ body })),
    );
    for (const limit of [1_000, 250, 100, 7]) {
      const pages = await readAll('pages', 'notes', limit);
      expect(pages).toHaveLength(Math.ceil(250 / limit));
      expect(pages.every(({ counts }) => counts.notes === 250)).toBe(true);
      expect(pages.flatMap(({ items }) => (items as AddedNote[]).map(({ body }) => body))).toEqual(bodies);
    }
  });

  it('stay when the account is corrected', async () => {
    const account = await imported('corrected');
    await account.add([payment('T-3', '2026-11-02')]);
    await addNotes('corrected', [{ body: 'Called on Monday.' }]);
    await addStatements('corrected', [{ statement_id: 'S-1', statement_path: 'a.pdf' }]);
    await account.activate('pm_corrected');
    const kinds = ['notes', 'transactions', 'historical_statements', 'payment_instructions'] as const;
    const readKinds = async () => Promise.all(kinds.map(async (kind) => read('corrected', { kind })));
    const before = await readKinds();
    expect(before[0]?.counts).toEqual({
      // With the one about the transaction that was moved.
      notes: 2,
      transactions: 1,
      historical_statements: 1,
      payment_instructions: 1,
    });
    await test.app.get(CorrectAccount).correct(test.caller, 'LEGACY', 'corrected', {
      body: {
        payload: {
          import_supplier: 'LEGACY',
          external_account_number: 'corrected',
          ...content({ notes: [{ body: 'Another one.' }], statements: [] }),
        },
        task_params: {},
      },
      ifMatch: undefined,
    });
    expect(await importAccounts(test, 'corrected')).toEqual(['corrected']);
    expect(await readKinds()).toEqual(before);
  });

  it('are not found for another organisation, before the import and after an erasure', async () => {
    await imported('gone');
    const { id } = await test.app.get(Organisations).create('Other Ltd');
    await test.app.get(ImportSuppliers).create('OTHER', 'Other Ltd', {});
    const other = { organisationId: id, actor: 'api-key:other' };
    expect(await refusedWith(read('gone', {}, other))).toBe('not_found');
    expect(await refusedWith(read('never sent'))).toBe('not_found');
    await eraseAccount(test, 'gone');
    expect(await refusedWith(read('gone'))).toBe('not_found');
  });

  it('are refused for a cursor of no page, and for a limit without a kind', async () => {
    await imported('cursors');
    expect(await refusedWith(read('cursors', { after: '1' }))).toEqual(['after invalid']);
    expect(await refusedWith(read('cursors', { limit: 100 }))).toEqual(['limit invalid']);
    expect(await refusedWith(read('cursors', { kind: 'notes', after: 'S-1' }))).toEqual(['after invalid']);
    expect(await refusedWith(read('cursors', { kind: 'historical_statements', after: 'S-0' }))).toEqual([
      'after invalid',
    ]);
  });

  it('cost a reading of the rows of their account only', async () => {
    const account = await imported('cheap');
    await account.add([payment('T-3', '2026-11-02'), payment('T-4', '2026-11-02')]);
    await addNotes('cheap', [{ body: 'Called on Monday.' }]);
    const others = await imported('others');
    await others.sql(
      `INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
         transaction_date, details, actor)
       SELECT $1, 0, 1, 'O-' || n, 'PAYMENT', 1, '2026-11-02', '{}', 'api-key:test' FROM generate_series(1, 20000) n`,
    );
    await others.sql(
      `INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths, actor)
       SELECT $1, 'Note ' || n, false, false, '{}', 'api-key:test' FROM generate_series(1, 20000) n`,
    );
    await test.sql('ANALYZE transaction');
    await test.sql('ANALYZE note');
    const { logger } = test.app.get(DataSource);
    const statements: [text: string, values: unknown[]][] = [];
    const spy = jest.spyOn(logger, 'logQuery').mockImplementation((text, values) => {
      if (text.startsWith('SELECT')) statements.push([text, (values as unknown[] | undefined) ?? []]);
    });
    const kinds = ['notes', 'transactions', 'historical_statements', 'payment_instructions'] as const;
    for (const kind of kinds) await read('cheap', { kind });
    spy.mockRestore();
    expect(statements.length).toBeGreaterThan(kinds.length * 6);
    for (const [text, values] of statements) {
      const [row] = await test.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      );
      const { Plan: plan } = row!['QUERY PLAN'][0];
      expect([text, plan['Shared Hit Blocks']! + plan['Shared Read Blocks']! < MAX_PAGES]).toEqual([
        text,
        true,
      ]);
    }
  });
});
