import { DOCUMENT_STORE, documentKey, type DocumentStore } from '@portage/platform';
import { ImportSuppliers, OperatorRules } from '@portage/tenants';
import { refusedWith, StoredProcesses, useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { AddHistoricalStatements } from './add-historical-statements';

const test = useApplication('postgres', {}, WITHOUT_CACHES);
const stored = new StoredProcesses(test);
let number: string;

beforeEach(async () => {
  ({ number } = await stored.inState('PROCESSED'));
});

const statement = (id: string, more: object = {}) => ({
  statement_id: id,
  bill_period_from_date: '2024-05-01',
  bill_period_to_date: '2024-05-31',
  ...more,
});
const body = (...statements: object[]) => ({
  import_supplier: 'LEGACY',
  external_account_number: number,
  statements,
});
const send = async (sent: Record<string, unknown>, key?: string) =>
  (await test.app.get(AddHistoricalStatements).add({ ...test.caller, body: sent, key })).answer;
const add = async (...request: Parameters<typeof send>) => (await send(...request)).view;

const statements = async () =>
  stored.sql<Record<string, unknown>>(
    `SELECT statement_id, historical_statement.number, issued_date::text, bill_period_from_date::text, bill_period_to_date::text,
       gross_amount, statement_path
     FROM historical_statement JOIN account ON account.id = account_id
     WHERE external_account_number = $1 ORDER BY statement_id`,
    [number],
  );
const ids = async () => (await statements()).map((one) => one['statement_id']);

const EXISTS = 'historical_statement_already_exists';

describe('historical statements of an imported account', () => {
  it('are stored with all fields, and the answer has the validated statements', async () => {
    const sent = body(
      statement('ST-2', {
        number: 'INV-2',
        issued_date: '2024-06-03',
        gross_amount: 148.22,
        statement_path: '/2024/05.pdf',
      }),
      statement('ST-1', { issued_date: null }),
    );
    expect(await add({ ...sent, comment: 'no such field' })).toEqual(sent);
    expect(await statements()).toEqual([
      {
        statement_id: 'ST-1',
        number: null,
        issued_date: null,
        gross_amount: null,
        statement_path: null,
        bill_period_from_date: '2024-05-01',
        bill_period_to_date: '2024-05-31',
      },
      {
        statement_id: 'ST-2',
        number: 'INV-2',
        issued_date: '2024-06-03',
        bill_period_from_date: '2024-05-01',
        bill_period_to_date: '2024-05-31',
        gross_amount: '148.22',
        statement_path: '2024/05.pdf',
      },
    ]);
  });

  it.each([[0], [14822], [-14822], [148.2], [0.001], [123456789012.25], ['14822.10']])(
    'may have the gross amount %j, which is answered as it was sent and stored exactly',
    async (amount) => {
      const sent = body(statement('ST-1', { gross_amount: amount }));
      expect(await add(sent)).toEqual(sent);
      expect(await statements()).toMatchObject([{ gross_amount: String(amount) }]);
    },
  );

  it('are left unchanged if the account has them already', async () => {
    const sent = body(
      statement('ST-1', { gross_amount: 148.2, number: 'N-1', issued_date: null, statement_path: '/a.pdf' }),
    );
    expect((await send(sent)).isAnyNew).toBe(true);
    const stored = await statements();
    const again = body(
      statement('ST-1', { gross_amount: '148.20', number: ' N-1 ', statement_path: 'a.pdf' }),
    );
    expect(await send(again)).toEqual({ view: expect.anything(), isAnyNew: false });
    expect(await statements()).toEqual(stored);
    expect((await send(body(...again.statements, statement('ST-2')))).isAnyNew).toBe(true);
    expect(await ids()).toEqual(['ST-1', 'ST-2']);
  });

  it('fail the whole request if the account has others with their ids, with one error each', async () => {
    await add(body(statement('ST-1'), statement('ST-3')));
    const again = body(
      ...['ST-1', 'ST-2', 'ST-3', 'ST-4'].map((id) => statement(id, { bill_period_to_date: '2024-05-30' })),
    );
    expect(await refusedWith(add(again))).toEqual([
      `statements.0.statement_id ${EXISTS}`,
      `statements.2.statement_id ${EXISTS}`,
    ]);
    expect(await ids()).toEqual(['ST-1', 'ST-3']);
  });

  it('can have the statement_id of a statement of another account', async () => {
    await add(body(statement('ST-1')));
    ({ number } = await stored.inState('PROCESSED'));
    await add(body(statement('ST-1')));
    expect(await ids()).toEqual(['ST-1']);
  });

  it('are refused at the second place if a request has the same one twice', async () => {
    const refused = refusedWith(add(body(statement('ST-1'), statement('ST-2'), statement('ST-1'))));
    expect(await refused).toEqual([`statements.2.statement_id ${EXISTS}`]);
    expect(await ids()).toEqual([]);
  });

  it('are added once by concurrent requests', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => send(body(statement('ST-1'), statement('ST-2')))),
    );
    expect(outcomes.filter(({ isAnyNew }) => isAnyNew)).toHaveLength(1);
    expect(await ids()).toEqual(['ST-1', 'ST-2']);
  });

  it.each([
    [
      { bill_period_to_date: '2024-04-30' },
      'statements.0.bill_period_to_date start_date_later_than_end_date',
    ],
    [{ statement_id: undefined }, 'statements.0.statement_id required'],
    [{ bill_period_from_date: '2024-02-30' }, 'statements.0.bill_period_from_date invalid'],
    [{ issued_date: '2024-06-03T00:00:00Z' }, 'statements.0.issued_date datetime'],
    [{ gross_amount: true }, 'statements.0.gross_amount invalid'],
    [{ statement_path: 'a/../../b.pdf' }, 'statements.0.statement_path invalid'],
    [{ statement_path: 'C:\\b.pdf' }, 'statements.0.statement_path invalid'],
  ])('%j is refused: %s', async (wrong, error) => {
    expect(await refusedWith(add(body(statement('ST-1', wrong), statement('ST-2'))))).toEqual([error]);
    expect(await ids()).toEqual([]);
  });

  it('can cover a single day', async () => {
    await add(body(statement('ST-1', { bill_period_to_date: '2024-05-01' })));
    expect(await ids()).toEqual(['ST-1']);
  });

  it('are refused for a staged account, which is not found', async () => {
    ({ number } = await stored.inState('DRY_RUN_SUCCEEDED'));
    expect(await refusedWith(add(body(statement('ST-1'))))).toBe('account_not_found');
  });
});

describe('documents of statements', () => {
  const put = async (path: string) => {
    const place = documentKey('acme', path);
    if (place.outcome === 'refused') throw new Error(place.detail);
    await test.app.get<DocumentStore>(DOCUMENT_STORE).put(place.key, Buffer.from('%PDF-1.4\n%%EOF'));
  };
  const MISSING = 'path_does_not_exist_in_file_store';
  const twoStatements = () =>
    body(
      statement('ST-1', { statement_path: 'gone.pdf' }),
      statement('ST-2', { statement_path: '/here.pdf' }),
    );

  beforeAll(async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { documentRoot: 'acme' });
    await put('here.pdf');
  });
  afterEach(async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: false });
    await test.app.get(OperatorRules).setInstanceSettings(['check_file_paths=']);
  });

  it('need not be stored by default', async () => {
    await add(twoStatements());
    expect(await ids()).toEqual(['ST-1', 'ST-2']);
  });

  it.each([
    [
      'the supplier has its documents verified',
      () => test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true }),
    ],
    [
      'the whole instance has',
      () => test.app.get(OperatorRules).setInstanceSettings(['check_file_paths=true']),
    ],
  ])('must be stored if %s', async (_who, configure) => {
    await configure();
    expect(await refusedWith(add(twoStatements()))).toEqual([`statements.0.statement_path ${MISSING}`]);
    expect(await ids()).toEqual([]);
    await add(body(statement('ST-2', { statement_path: '/here.pdf' })));
    expect(await ids()).toEqual(['ST-2']);
  });

  it('are reported together with all other errors, in payload order', async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true });
    await add(body(statement('ST-2', { number: 'N-2' })));
    const refused = add(
      body(
        statement('ST-1', { statement_path: '../gone.pdf' }),
        statement('ST-2', { statement_path: 'gone.pdf' }),
        statement('ST-3', { statement_path: 'here.pdf' }),
      ),
    );
    expect(await refusedWith(refused)).toEqual([
      'statements.0.statement_path invalid',
      `statements.1.statement_id ${EXISTS}`,
      `statements.1.statement_path ${MISSING}`,
    ]);
  });

  it('can be deleted without affecting the stored answer of a request', async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: false });
    const first = await add(twoStatements(), 'key-gone');
    await test.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true });
    expect(await add(twoStatements(), 'key-gone')).toEqual(first);
  });
});
