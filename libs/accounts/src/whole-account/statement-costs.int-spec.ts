import {
  AccountImportRepository,
  type MeasureValues,
  type PendingProcess,
  PendingProcessRepository,
  type StartedImport,
} from '@portage/imports';
import { type Executor, rowObjects } from '@portage/platform';
import {
  insertLines,
  insertProcesses,
  newAccountWith,
  SessionDatabase,
  useCountingExecutor,
} from '@portage/testing/application';

/** Processes while the session plans its statements, and those that are stored later. */
const PLANNED = 200;
const STORED = 20_000;

/** Accounts of a batch. */
const BATCH = 10;

/** Pages that a statement may read for one account: a few levels of a few indexes. */
const MAX_PAGES_PER_ACCOUNT = 40;

const SUBMISSION = '1';

/** Line numbers up to this one are those of accounts. */
const LAST_SENT = 100_000;

const MEASURES: MeasureValues = {
  accounts: 1,
  customers: 1,
  supply_points: 0,
  statements: 0,
  transactions: 0,
  opening_balance: '1.00',
  payment_instructions: 0,
  debts: 0,
  readings: 0,
  statement_total: 0,
  opening_debits: '0.00',
  opening_credits: '0.00',
  documents: 0,
};

describe('the cost of the statements that import a batch, planned while few processes were stored', () => {
  const executor = useCountingExecutor('Own');
  const database = new SessionDatabase(executor);
  const imports = new AccountImportRepository(database);
  const pending = new PendingProcessRepository(database);
  const cheap = async <Result>(work: Promise<Result>, maxPagesPerAccount = MAX_PAGES_PER_ACCOUNT) =>
    executor.within(BATCH * maxPagesPerAccount, work);

  const versions = (first: number) =>
    Array.from({ length: BATCH }, (_, index) => ({ processId: String(first + index), version: 1 }));
  const read = async (first: number) => imports.read(versions(first));
  const start = async (first: number) => imports.start(versions(first));
  const create = async (first: number) =>
    imports.create(
      Array.from({ length: BATCH }, (_, index) => ({
        started: {
          processId: String(first + index),
          version: 1,
          status: 'IN_PROGRESS',
          attempt: 2,
        } as StartedImport,
        account: newAccountWith(`A-${String(first + index).padStart(8, '0')}`),
      })),
    );
  /** Sends accounts: again, if the submission has them. */
  const send = async (first: number) =>
    pending.write(sent(first), {
      upload: { submissionId: SUBMISSION, number: 1 },
      refused: [],
      repeated: [],
      imported: [],
    });
  const sent = (first: number) =>
    Array.from({ length: BATCH }, (_, index): PendingProcess => ({
      supplierId: 1,
      isDryRun: false,
      scheduleWindowStart: null,
      scheduleWindowEnd: null,
      staging: null,
      actor: 'api-key:test',
      line: { number: first + index, measures: MEASURES },
      externalAccountNumber: `N-${first + index}`,
      externalIdentifier: `N-${first + index}`,
      payloadHash: Buffer.from('00', 'hex'),
      payloadDigest: Buffer.from('00', 'hex'),
      payload: '{}',
      contextDigest: '1',
    }));
  const store = async (from: number, to: number, status: string) =>
    executor.client.query(`
      ${insertProcesses(`generate_series(${from}, ${to}) AS n ORDER BY n`, {
        status: `'${status}'`,
        payload_hash: `'\\x00'`,
        payload_digest: `'\\x00'`,
        submission_id: SUBMISSION,
      })};
      INSERT INTO import_process_payload (process_id, payload)
      SELECT id, '{}' FROM import_process WHERE id BETWEEN ${from} AND ${to};
      ${insertLines(`generate_series(${from}, ${to}) AS id`, {
        submission_id: SUBMISSION,
        line: `${LAST_SENT} + id`,
        outcome: `'refused'`,
        refused_key: 'sha256(id::text::bytea)',
        errors: `'[]'`,
      })}`);

  beforeAll(async () => {
    await executor.client.query(`
      INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor)
      VALUES (1, 'own', '', '{}', false, '');
      INSERT INTO submission_upload (submission_id, number, actor) VALUES (1, 1, '');`);
    await store(1, PLANNED, 'PENDING');
    await send(1);
    await read(1);
    await start(1);
    await create(1);
    await store(PLANNED + 1, STORED, 'PENDING');
  });

  it('is small for the read and the start', async () => {
    expect(await cheap(read(STORED - 100))).not.toContain(undefined);
    expect(await cheap(start(STORED - 100))).not.toContain(undefined);
  });

  it('is small for failures and dry runs', async () => {
    const started = (await start(STORED - 150)) as StartedImport[];
    const failed = { endStatus: 'ERRORED', code: 'error', detail: 'Words.' } as const;
    await cheap(imports.succeedDryRuns(started));
    await cheap(imports.fail(started.map((one) => ({ started: one, ...failed }))));
  });

  it('is small for the creation', async () => {
    // Counting the pages starts them a second time.
    expect(await start(STORED - 50)).not.toContain(undefined);
    // The pages are those of the second time, which finds the processes and writes nothing.
    expect(await cheap(create(STORED - 50), 5)).toMatchObject(
      Array.from({ length: BATCH }, () => ({ accountId: expect.any(String) })),
    );
  });

  it('is small for lines that are sent again', async () => {
    const written = await cheap(send(STORED - 200));
    expect(written).toEqual(Array.from({ length: BATCH }, () => ({ kind: 'conflict' })));
    const found = await cheap(pending.findExisting(sent(STORED - 200)));
    expect(found.every(({ process }) => process !== undefined)).toBe(true);
  });

  it('is small for new lines of a submission with many refused lines', async () => {
    const client = executor.client;
    const run = executor.run.bind(executor);
    await client.query('BEGIN');
    // Only the second time is counted, so the first one is rolled back.
    executor.run = async <Row extends object>(...[{ name, text }, values]: Parameters<Executor['run']>) => {
      await client.query('SAVEPOINT first');
      const result = await client.query({ name, text, values: [...values], rowMode: 'array' });
      await client.query('ROLLBACK TO first');
      await executor.explain(name, values);
      return rowObjects<Row>(result);
    };
    const written = await cheap(send(STORED + 1));
    executor.run = run;
    await client.query('ROLLBACK');
    expect(written).toMatchObject(Array.from({ length: BATCH }, () => ({ kind: 'written' })));
  });
});
