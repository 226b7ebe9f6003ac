import { type Statement, whereNameIs } from '@portage/platform';
import {
  insertAccounts,
  insertProcesses,
  SessionDatabase,
  useCountingExecutor,
} from '@portage/testing/application';
import { until } from '@portage/testing/until';
import { DocumentRepository } from '../documents/document.repository';
import { TransactionRepository } from '../transactions/transaction.repository';
import { NoteRepository } from '../notes/note.repository';
import {
  type AccountLookup,
  AccountLookupsRepository,
  type LookupKind,
  type LookupValue,
} from './account-lookups.repository';
import { SharedValuesRepository, type StoredValue } from './shared-values.repository';

/** Rows that a hostile supplier, or another organisation, stores for one value. */
const STORED = 40_000;

/** Pages that a lookup of one value may read, whatever is stored: a few levels of a few indexes. */
const MAX_PAGES = 60;

const POINT = '1000000000110';
const OWN = 1;
const OTHER = 2;

/** Finds a row of a supplier by a unique name. */
const named = (table: string, column: Parameters<typeof whereNameIs>[0]): Statement => ({
  name: `${table} by ${column}`,
  text: `SELECT id FROM ${table} ${whereNameIs(column, '$1', '$2')}`,
});

describe('the cost of a statement, when many rows are stored for the values that it searches', () => {
  const executor = useCountingExecutor('Own', 'Other');
  const cheap = async <Result>(work: Promise<Result>) => executor.within(MAX_PAGES, work);
  const notes = new NoteRepository();
  const transactions = new TransactionRepository();
  const documents = new DocumentRepository(undefined as never, new SessionDatabase(executor));

  const find = async (
    kind: LookupKind,
    values: LookupValue[],
    externalAccountNumber = 'new',
    organisationId = OWN,
  ) => {
    const scope = { organisationId, supplierId: organisationId, externalAccountNumber };
    const lookup: AccountLookup = { kind, scope, values };
    return (await new AccountLookupsRepository(new SessionDatabase(executor)).answer([lookup]))[0]!;
  };
  const period = (startDate: string, endDate: string): LookupValue => ({ value: POINT, startDate, endDate });
  const share = async (kind: StoredValue['kind'], value: string) => {
    const asked = { kind, value, organisationId: OWN, supplierId: OWN, externalAccountNumber: 'new' };
    const [found] = await new SharedValuesRepository(new SessionDatabase(executor)).read([asked], 100);
    return found?.otherAccount;
  };
  const chargedIn = async (startDate: string, endDate: string, number?: string) =>
    find('charged-period', [period(startDate, endDate)], number);

  beforeAll(async () => {
    await executor.client.query(`
      ${insertProcesses(`(VALUES (1, 'hoard'), (1, 'second'), (2, 'foreign')) AS made (supplier, name)`, {
        supplier_id: 'supplier',
        external_account_number: 'name',
        status: `'PROCESSED'`,
        account_number: 'name',
      })};
      ${insertAccounts('import_process ORDER BY id')}`);
    await chargedIn('2024-01-01', '2024-01-01');
    await share('mandate', 'GOCARDLESS MD1');
    await notes.findMatching(executor, [
      { accountId: '1', body: 'A', documentPaths: [], createdAt: null, externalId: null },
    ]);
    await transactions.findFirstCharged(executor, [
      {
        accountId: '1',
        supplyPointIdentifier: POINT,
        startDate: '2024-01-01',
        endDate: '2024-01-01',
        isRepeated: false,
      },
    ]);
    await transactions.ledgerSnapshots(executor, [{ accountId: '1', transactionIds: ['T-1'] }]);
    await documents.listUnsettled(OWN, 'MISSING', undefined, 10);
    for (const table of ['account', 'import_process'])
      for (const column of ['external_account_number', 'external_identifier'] as const)
        await executor.run(named(table, column), [OWN, 'hoard']);

    await executor.client.query(
      `WITH process AS (${insertProcesses(`generate_series(1, ${STORED}) AS n`, {
        external_account_number: `'crowd-' || n`,
        status: `'PROCESSED'`,
        account_number: `'crowd-' || n`,
      })} RETURNING *) ${insertAccounts('process')}`,
    );
    // Every second day of two centuries, on one account and in the other organisation; then nested periods.
    await executor.client.query(`
      INSERT INTO charged_period (account_id, organisation_id, supply_point_identifier, start_date, end_date)
      SELECT account_id, organisation_id, '${POINT}', date '1900-01-01' + 2 * day, date '1900-01-01' + 2 * day
      FROM generate_series(0, ${STORED - 1}) AS day, (VALUES (1, 1), (3, 2)) AS owner (account_id, organisation_id);
      INSERT INTO charged_period (account_id, organisation_id, supply_point_identifier, start_date, end_date)
      SELECT 1, 1, 'NESTED', date '2200-01-01' - step, date '2200-01-01' + step
      FROM generate_series(0, ${STORED - 1}) AS step;
      INSERT INTO debt (account_id, position, organisation_id, cais_reference, details)
      SELECT account_id, position, organisation_id, 'CAIS', '{}'
      FROM generate_series(0, ${STORED - 1}) AS position, (VALUES (2, 1), (3, 2)) AS owner (account_id, organisation_id);
      INSERT INTO held_role (organisation_id, email, role, account_id)
      SELECT 1, 'b@example.org', CASE WHEN id = 2 THEN 'ADMIN' ELSE 'CARER' END, id FROM account WHERE id <= 2
      UNION ALL
      SELECT owner.organisation_id, 'a@example.org', role, owner.id
      FROM (VALUES (1, 2), (2, 3)) AS owner (organisation_id, id), (VALUES ('ADMIN'), ('FRIEND')) AS held (role)
      UNION ALL
      SELECT 1, 'crowd@example.org', 'ADMIN', id FROM account WHERE id > 3;
      INSERT INTO supply_point (account_id, supplier_id, position, supply_address_position, supply_type, identifier,
        supply_start_date, meters, details)
      SELECT id, supplier_id, 0, 0, 'ELECTRICITY', 'P-' || id, '2024-01-01', '[]', '{}' FROM account;
      INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, details)
      SELECT id, 'DIRECT_DEBIT', 'gocardless', 'MD' || id, true, '{}' FROM account;
      INSERT INTO document (account_id, path, kind) SELECT id, 'letters/' || id || '.pdf', 'note' FROM account;
      INSERT INTO note (account_id, body, created_at, is_pinned, is_archived, document_paths)
      SELECT 1, NULL, timestamptz '2024-01-01' + n * interval '1 second', false, false, ARRAY['n' || n]
      FROM generate_series(1, ${STORED}) AS n;
      INSERT INTO note (account_id, body, created_at, is_pinned, is_archived, document_paths)
      SELECT 1, 'Rang', timestamptz '2024-01-01' + n * interval '1 second', false, false, '{}'
      FROM generate_series(1, ${STORED}) AS n;
      INSERT INTO ledger (account_id, position, balance, details) VALUES (1, 0, 0, '{}');
      INSERT INTO statement_period (account_id, ledger_position, position, start_date, end_date)
      VALUES (1, 0, 0, '2024-01-01', '2024-01-31');
      INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
        transaction_date, details)
      SELECT 1, 0, 0, 'T-1', 'PAYMENT', 1, '2024-01-01', '{}' FROM generate_series(1, ${STORED});`);
  });

  const clash = (day: string) => [{ index: 0, start_date: day, end_date: day }];

  it('is small for a charged period, whether it clashes or not', async () => {
    expect(await cheap(chargedIn('1950-01-01', '1950-01-01'))).toEqual(clash('1950-01-01'));
    expect(await cheap(chargedIn('1950-01-02', '1950-01-02'))).toEqual([]);
    expect(await cheap(chargedIn('1000-01-01', '9999-12-31'))).toHaveLength(1);
    const nested = { ...period('2200-01-01', '2200-01-01'), value: 'NESTED' };
    expect(await cheap(find('charged-period', [nested]))).toHaveLength(1);
  });

  it('does not depend on what another organisation has stored for the same supply point', async () => {
    await executor.client.query(
      `DELETE FROM charged_period WHERE account_id = 1 AND supply_point_identifier = '${POINT}'`,
    );
    // Rows that another session may still see, such as an autovacuum, are not removed.
    await until(async () => {
      const { rows } = await executor.client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
      );
      return rows.length === 0;
    }, 'no other session has a snapshot');
    await executor.client.query('VACUUM charged_period');
    expect(await cheap(chargedIn('1950-01-01', '1960-01-01'))).toEqual([]);
    const foreign = executor.pages;
    expect(
      await find('charged-period', [{ ...period('1950-01-01', '1960-01-01'), value: 'NOWHERE' }]),
    ).toEqual([]);
    expect(Math.abs(foreign - executor.pages)).toBeLessThan(12);
  });

  it('is small for the account itself, whose own rows do not count', async () => {
    const nested = { ...period('2200-01-01', '2200-01-01'), value: 'NESTED' };
    // One look at each page of the index, but not at the rows.
    expect(await executor.within(1_000, find('charged-period', [nested], 'hoard'))).toEqual([]);
  });

  it.each(['new', 'crowd-7'])(
    'is small for an account of a supplier with many accounts, whether it exists or not: %s',
    async (externalAccountNumber) => {
      expect(await cheap(find('reference', [{ namespace: 'A', value: 'B' }], externalAccountNumber))).toEqual(
        [],
      );
    },
  );

  it.each(['account', 'import_process'])('is small for a name in %s', async (table) => {
    for (const column of ['external_account_number', 'external_identifier'] as const)
      for (const [name, rows] of [
        ['crowd-7', 1],
        ['crowd', 0],
      ] as const)
        expect(await cheap(executor.run(named(table, column), [OWN, name]))).toHaveLength(rows);
  });

  it('is small for a CAIS reference', async () => {
    expect(await cheap(find('cais-reference', [{ value: 'CAIS' }]))).toEqual(['CAIS']);
  });

  it('is small for the roles of an e-mail address, of which each is returned once', async () => {
    for (const [email, ...roles] of [
      ['a@example.org', 'ADMIN', 'FRIEND'],
      ['b@example.org', 'ADMIN', 'CARER'],
      ['crowd@example.org', 'ADMIN'],
    ] as const)
      expect(await cheap(find('email', [{ value: email }]))).toEqual([{ email, roles }]);
    expect(await find('email', [{ value: 'b@example.org' }], 'hoard')).toEqual([
      { email: 'b@example.org', roles: ['ADMIN'] },
    ]);
    expect(await find('email', [{ value: 'a@example.org' }], 'second')).toEqual([]);
    expect(await find('email', [{ value: 'a@example.org' }], 'new', OTHER)).toHaveLength(1);
  });

  it('is small for a mandate and a supply point, of which another account is found', async () => {
    const [row] = (
      await executor.client.query<{ id: string }>(
        `SELECT id FROM account WHERE external_account_number = 'crowd-7'`,
      )
    ).rows;
    for (const [kind, value] of [
      ['mandate', `GOCARDLESS MD${row?.id}`],
      ['supply-point', `P-${row?.id}`],
    ] as const)
      expect(await executor.within(MAX_PAGES, share(kind, value))).toBe('crowd-7');
    for (const kind of ['mandate', 'supply-point'] as const)
      expect(await executor.within(MAX_PAGES, share(kind, 'NOWHERE'))).toBeNull();
  });

  it('finds a note by the digest of its body or documents, which is stored in the index and must not change', async () => {
    const { rows } = await executor.client.query<{ is_equal: boolean }>(`
      SELECT note_identity(body, paths) = sha256(convert_to(CASE WHEN body IS NOT NULL THEN 'body ' || body
        ELSE 'documents ' || ARRAY(SELECT DISTINCT path COLLATE "C" FROM unnest(paths) AS path ORDER BY 1)::text
        END, 'UTF8')) AS is_equal
      FROM (VALUES ('Rang €', '{}'), ('', '{a}'), (NULL, '{"b c",a,"b c",B}'), (NULL, '{}'), (NULL, NULL))
        AS note (body, list), CAST(list AS text[]) AS paths`);
    expect(rows).toEqual(Array.from({ length: 5 }, () => ({ is_equal: true })));
  });

  it('is small for a note, with a body or without', async () => {
    const asked = (body: string | null, documentPaths: string[], createdAt: string | null) => ({
      accountId: '1',
      externalId: null,
      body,
      documentPaths,
      createdAt: createdAt === null ? null : new Date(createdAt),
    });
    expect(
      (
        await cheap(
          notes.findMatching(executor, [
            asked(null, ['n3', 'n3'], null),
            asked('Rang', ['n9'], null),
            asked('Rang', [], '2024-01-01T00:00:07Z'),
            asked('Rang', [], '2023-01-01T00:00:07Z'),
            asked(null, ['n3', 'n4'], null),
            asked('documents {n3}', [], null),
          ]),
        )
      ).map((found) => found?.createdAt),
    ).toEqual([
      new Date('2024-01-01T00:00:03Z'),
      new Date('2024-01-01T00:00:01Z'),
      new Date('2024-01-01T00:00:07Z'),
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is small for a transaction that was added again and again', async () => {
    const asked = { accountId: '1', transactionIds: ['T-0', 'T-1'] };
    const snapshots = await cheap(transactions.ledgerSnapshots(executor, [asked]));
    expect(snapshots.get('1')?.existing).toMatchObject([{ transactionId: 'T-1' }]);
  });

  it('is small for a page of the documents that are missing', async () => {
    await executor.client.query(
      `UPDATE document SET state = 'MISSING', error_code = 'x', unsettled_supplier_id = 1
       WHERE id IN (SELECT document.id FROM document JOIN account ON account.id = account_id
         WHERE supplier_id = 1 ORDER BY account.external_account_number LIMIT 10)`,
    );
    expect(await cheap(documents.listUnsettled(OWN, 'MISSING', undefined, 5))).toHaveLength(5);
  });

  it('is small for the charges of a transactions request', async () => {
    const charge = (startDate: string, endDate: string) => ({
      accountId: '2',
      supplyPointIdentifier: 'NESTED',
      startDate,
      endDate,
      isRepeated: false,
    });
    const charges = [
      charge('1000-01-01', '1000-01-31'),
      charge('2200-01-01', '2200-01-02'),
      charge('2200-01-01', '2200-01-01'),
    ];
    expect(await cheap(transactions.findFirstCharged(executor, charges))).toMatchObject([
      { index: 1, start: '2200-01-01' },
    ]);
  });
});
