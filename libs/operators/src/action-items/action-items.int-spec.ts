import { FoldImportCounts, ImportCountRepository } from '@portage/imports';
import { type Executor, QUEUE_NAMES, type Statement } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import {
  addSuppliers,
  CountingExecutor,
  insertAccounts,
  insertLines,
  insertProcesses,
  SessionDatabase,
  StoredProcesses,
  TestSubmission,
  useApplication,
} from '@portage/testing/application';
import { ActionItemsRepository } from './action-items.repository';
import { ReportWorker } from '../console/report-worker';
import { ViewActionItems } from './view-action-items';
import { ViewDocuments } from '../console/view-documents';
import { ViewPaymentInstructions } from '../console/view-payment-instructions';
import { ViewProcess } from '../console/view-process';
import { OperateQueues } from '../console/operate-queues';
import { ViewRefusedLines } from '../console/view-refused-lines';
import { PageReads } from '../console/page-reads';
import { ViewSuppliers } from '../console/view-suppliers';

const PAGE = { limit: 50 };

describe('what waits for an operator', () => {
  const test = useApplication('postgres', { PORTAGE_OPERATOR: 'Ada' });
  const stored = new StoredProcesses(test);
  const items = async () => test.app.get(ViewActionItems).list();
  const kinds = async () => (await items()).map(({ kind, subject }) => [kind, subject]);
  const consumption = (queue: string) => ({ queue, active: 0, is_consuming: true });
  const workFor = async (queues: readonly string[]) =>
    test.app.get(ReportWorker).report('1.2.3', queues.map(consumption));

  /** Stores the outcome of a request for a payment instruction of the account of a process. */
  const instruct = async (processId: string, outcome: object) =>
    stored.sql(
      `INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, actor, status, outcome, finished_at)
       SELECT organisation_id, account.id, 'payment-instruction', '', 'api-key:test', 'DONE', $2::json, now()
       FROM account JOIN import_supplier supplier ON supplier.id = supplier_id WHERE process_id = $1`,
      [processId, JSON.stringify(outcome)],
    );

  it('is a missing worker, or each queue without one, and nothing else while nothing was received', async () => {
    expect(await kinds()).toEqual([['worker_missing', null]]);
    await workFor(QUEUE_NAMES.filter((name) => name !== 'emails'));
    expect(await kinds()).toEqual([['queue_without_worker', 'emails']]);
    await stored.sql(`UPDATE worker_heartbeat SET seen_at = now() - interval '3 minutes'`);
    const lost = await items();
    expect(lost).toMatchObject([{ kind: 'worker_missing', import_supplier: null }]);
    expect(Date.now() - Date.parse(lost[0]!.since!)).toBeGreaterThan(170_000);
    await workFor(QUEUE_NAMES);
    expect(await items()).toEqual([]);
  });

  it('is a paused queue and a paused supplier, since their pause, with what they hold', async () => {
    await test.app.get(OperateQueues).pause('account-imports');
    await stored.inState('PENDING');
    await stored.inState('PENDING', { staging: 'WAITING' });
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Paused');
    const found = await items();
    expect(found).toMatchObject([
      { kind: 'queue_paused', subject: 'account-imports', count: 1 },
      { kind: 'supplier_paused', import_supplier: 'LEGACY', count: 1 },
    ]);
    for (const { since } of found) expect(Date.now() - Date.parse(since!)).toBeLessThan(60_000);
    await test.app.get(OperateQueues).resume('account-imports');
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
    expect(await items()).toEqual([]);
  });

  it('is what failed, was refused, is missing or waits for a release, with the page that mends it', async () => {
    await stored.inState('ERRORED');
    await stored.inState('ERRORED');
    await stored.inState('DRY_RUN_ERRORED');
    await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: false });
    // A rehearsal waits for no release.
    await stored.inState('DRY_RUN_SUCCEEDED');
    const book = await TestSubmission.open(test, 'book');
    await book.refused('R-1', [
      {
        code: 'invalid_email',
        attr: 'customers.0.email',
        detail: '"maeve@secret.example" is not an e-mail address.',
      },
      { code: 'invalid', attr: 'region', detail: 'Words.' },
    ]);
    await book.refused(null, [{ code: 'invalid_json', attr: null, detail: 'Words.' }]);
    const { processId } = await stored.inState('PROCESSED');
    await instruct(processId, { kind: 'refused', code: 'instruction_not_found' });
    await stored.sql(
      `INSERT INTO document (account_id, path, kind, state, error_code, unsettled_supplier_id, inspected_at)
       SELECT id, 'letters/' || state || '.pdf', 'note', state, 'document_not_found', supplier_id, now()
       FROM account, unnest('{MISSING,REFUSED}'::text[]) AS state WHERE process_id = $1`,
      [processId],
    );
    await stored.sql(
      `INSERT INTO webhook_endpoint (supplier_id, url, types, secret, actor, position, attempts, failing_since)
       VALUES ($1, 'https://hooks.example.com', '{}', '', 'api-key:test', '{}', 3, now())`,
      [test.supplier.id],
    );
    await book.complete();
    await stored.sql(`UPDATE submission SET finished_at = now();
      INSERT INTO submission_event (submission_id, number, supplier_id, event, counts)
      SELECT id, 1, supplier_id, 'FINISHED', '{}' FROM submission`);
    await stored.sql(
      `UPDATE submission_event SET reconciled = false, transaction_id = event_transaction_id()`,
    );
    const found = await items();
    expect(found.map(({ kind, subject, count, id }) => [kind, subject, count, id])).toEqual([
      ['accounts_awaiting_release', null, 1, null],
      ['accounts_errored', null, 2, null],
      ['dry_runs_errored', null, 1, null],
      ['lines_refused', null, 2, null],
      ['payment_instructions_refused', null, 1, null],
      ['documents_missing', null, 1, null],
      ['documents_refused', null, 1, null],
      ['webhook_failing', expect.any(String), 3, null],
      ['submission_not_reconciled', 'book', 1, book.id],
    ]);
    for (const { since, is_capped: isCapped } of found) {
      expect(Date.now() - Date.parse(since!)).toBeLessThan(60_000);
      expect(isCapped).toBe(false);
    }
  });

  it('is listed with its codes and paths, and for who may read payloads with its sentences', async () => {
    const lists = test.app.get(ViewRefusedLines);
    const linesOf = async (filter: object) =>
      (await lists.list('LEGACY', filter, PAGE)).items.map(({ external_account_number: number }) => number);
    const { items: lines } = await lists.list('LEGACY', {}, PAGE);
    expect(lines.map(({ reference, upload, line }) => [reference, upload, line])).toEqual([
      ['book', 1, 2],
      ['book', 1, 1],
    ]);
    expect(lines[1]!.errors[0]).toEqual({
      code: 'invalid_email',
      path: 'customers.0.email',
      detail: null,
    });
    const [, line] = (await lists.list('LEGACY', {}, PAGE, true)).items;
    expect(line!.errors[0]!.detail).toBe('"maeve@secret.example" is not an e-mail address.');
    expect(await linesOf({ errorCode: 'invalid' })).toEqual(['R-1']);
    expect(await linesOf({ path: 'customers.0.email' })).toEqual(['R-1']);
    expect(await linesOf({ errorCode: 'invalid', path: 'customers.0.email' })).toEqual([]);
    expect(await linesOf({ text: 'R-' })).toEqual(['R-1']);
    expect(await linesOf({ submission: '999' })).toEqual([]);
    const first = await lists.list('LEGACY', {}, { limit: 1 });
    const second = await lists.list('LEGACY', {}, { limit: 1, cursor: first.next_cursor! });
    expect([...first.items, ...second.items]).toEqual(lines);

    const { funnel, top_errors: errors } = await test.app.get(ViewSuppliers).read('LEGACY');
    expect(funnel.refused_lines).toBe(2);
    expect(errors.map((error) => [error.code, error.count, error.refused_lines])).toEqual([
      ['error', 3, 0],
      ['invalid_email', 0, 1],
      ['invalid_json', 0, 1],
    ]);

    const { items: documents } = await test.app
      .get(ViewDocuments)
      .list('LEGACY', ['MISSING', 'REFUSED'], PAGE);
    expect(documents).toMatchObject([
      { state: 'REFUSED', path_masked: 'xxxxxxx/xxxxxxx.xxx' },
      { state: 'MISSING', error_code: 'document_not_found' },
    ]);
  });

  it('is a request that was refused, and not one that was answered, until a later one is stored', async () => {
    const instructions = test.app.get(ViewPaymentInstructions);
    const { items: refused } = await instructions.list('LEGACY', 'refused', PAGE);
    expect(refused).toMatchObject([{ outcome: 'refused', error_code: 'instruction_not_found' }]);
    const { process_id: processId } = refused[0]!;
    const read = async () => (await test.app.get(ViewProcess).read('LEGACY', processId)).requests;
    expect(await read()).toMatchObject([{ status: 'refused', error_code: 'instruction_not_found' }]);
    await instruct(processId, { kind: 'stored' });
    expect(await read()).toMatchObject([{ status: 'answered' }, { status: 'refused' }]);
    expect((await instructions.list('LEGACY', undefined, PAGE)).items.map(({ outcome }) => outcome)).toEqual([
      'stored',
      'refused',
    ]);
    expect((await items()).map(({ kind }) => kind)).not.toContain('payment_instructions_refused');
  });

  it('is nothing but failing webhooks once the migration of the supplier is complete', async () => {
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Complete');
    expect((await items()).map(({ kind }) => kind)).toEqual(['webhook_failing']);
  });
});

describe('the cost of what waits for an operator', () => {
  const SETTLED = 30_000;
  let executor: CountingExecutor;
  let pages = 0;

  /** Adds the pages of all statements. */
  const counting = {
    run: async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
      const rows = await executor.run<Row>(statement, values);
      pages += executor.pages;
      return rows;
    },
  } as Executor;
  const reads = {
    run: async (work: (reads: Executor) => unknown) => work(counting),
    requireSupplier: async () => Promise.resolve({ id: 1 }),
  } as unknown as PageReads;
  const list = async () => {
    pages = 0;
    return new ActionItemsRepository().list(counting);
  };

  beforeAll(async () => {
    executor = await CountingExecutor.connect();
    const { client } = executor;
    await client.query('SET plan_cache_mode = force_generic_plan');
    await addSuppliers(client, 'Own', 'Other');
    await client.query(`
      INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor)
      SELECT 1, 'book-' || n, '', '{}', false, '' FROM generate_series(1, 20) AS n;
      INSERT INTO submission_upload (submission_id, number, actor) SELECT id, 1, '' FROM submission;`);
    await list();
    await new ViewRefusedLines(reads).list('Own', {}, PAGE);
    await new ViewPaymentInstructions(reads).list('Own', 'refused', PAGE);
    await client.query(`
      ${insertProcesses(`generate_series(1, ${SETTLED}) AS n`, {
        supplier_id: '1 + n % 2',
        status: `'PROCESSED'`,
        account_number: `'A-' || n`,
      })};
      ${insertLines('import_process', {
        submission_id: '1 + id % 20',
        line: 'id',
        process_id: 'id',
        customers: '1',
        transactions: '1',
        opening_balance: '1',
      })};
      ${insertAccounts('import_process ORDER BY id')};
      INSERT INTO document (account_id, path, kind, state, sha256) SELECT id, 'a', 'note', 'STORED', '' FROM account;
      INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, actor, status, outcome)
      SELECT 1, id, 'payment-instruction', '', '', 'DONE', '{"kind": "stored"}' FROM account;
      -- What waits.
      ${insertProcesses(
        `unnest('{ERRORED,DRY_RUN_SUCCEEDED}'::text[]) AS status, generate_series(1, 5) AS n`,
        {
          status: 'status',
          external_account_number: 'status || n',
          error_code: `CASE status WHEN 'ERRORED' THEN 'error' END`,
        },
      )};
      ${insertLines('generate_series(1, 5) AS n', {
        submission_id: '20',
        line: `${SETTLED} + n`,
        outcome: `'refused'`,
        refused_key: 'n::text::bytea',
        errors: `'[{"code": "invalid", "detail": "Words."}]'`,
      })};
      UPDATE document SET state = 'MISSING', sha256 = NULL, unsettled_supplier_id = 1 WHERE id <= 5;
      UPDATE account_request SET outcome = '{"kind": "refused"}' WHERE id <= 5;`);
    await new FoldImportCounts(new ImportCountRepository(new SessionDatabase(executor))).run();
    await client.query('VACUUM ANALYZE');
  });
  afterAll(async () => {
    await executor.client.end();
  });

  it('does not grow with the accounts that need no action', async () => {
    const found = await list();
    expect(found.map(({ kind, supplier, count }) => [kind, supplier, count])).toEqual([
      ['accounts_awaiting_release', 'Own', 5],
      ['accounts_errored', 'Own', 5],
      ['lines_refused', 'Own', 5],
      ['payment_instructions_refused', 'Other', 3],
      ['payment_instructions_refused', 'Own', 2],
      ['documents_missing', 'Own', 5],
    ]);
    expect(pages).toBeLessThan(400);
  });

  it.each<[string, number, () => Promise<{ items: readonly unknown[] }>]>([
    ['refused lines', 5, async () => new ViewRefusedLines(reads).list('Own', {}, PAGE)],
    [
      'refused lines with another code',
      0,
      async () => new ViewRefusedLines(reads).list('Own', { errorCode: 'x' }, PAGE),
    ],
    ['payment instructions', 2, async () => new ViewPaymentInstructions(reads).list('Own', 'refused', PAGE)],
  ])('is small for the list of %s', async (_, count, read) => {
    pages = 0;
    expect((await read()).items).toHaveLength(count);
    expect(pages).toBeLessThan(200);
  });

  it('does not hide the submission of a supplier behind those of another', async () => {
    await executor.client.query(`
      INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor, status, completed_at, finished_at)
      SELECT CASE n WHEN 0 THEN 2 ELSE 1 END, 'ended-' || n, '', '{}', false, '', 'RECEIVED', now(), now()
      FROM generate_series(0, 300) AS n;
      INSERT INTO submission_event (submission_id, number, supplier_id, event, counts, reconciled, transaction_id)
      SELECT id, 1, supplier_id, 'FINISHED', '{}', false, event_transaction_id() FROM submission WHERE status = 'RECEIVED'`);
    const ended = (await list()).filter(({ kind }) => kind === 'submission_not_reconciled');
    expect(ended.filter(({ supplier }) => supplier === 'Own')).toHaveLength(20);
    expect(ended.filter(({ supplier }) => supplier === 'Other').map(({ subject }) => subject)).toEqual([
      'ended-0',
    ]);
  });

  it('counts at most 10,000 of a kind, and says so', async () => {
    await executor.client.query(`
      UPDATE document SET state = 'MISSING', sha256 = NULL, unsettled_supplier_id = 1;
      UPDATE account_request SET outcome = '{"kind": "refused"}'`);
    const found = await list();
    expect(found.filter(({ isCapped }) => isCapped).map(({ kind, count }) => [kind, count])).toEqual([
      ['payment_instructions_refused', 500],
      ['payment_instructions_refused', 500],
      ['documents_missing', 10_000],
    ]);
  });
});
