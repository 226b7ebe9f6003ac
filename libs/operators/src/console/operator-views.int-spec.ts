import { FoldImportCounts } from '@portage/imports';
import { ActingOperator } from '@portage/platform';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { ReportWorker } from './report-worker';
import { ActOnProcesses, MAX_PREVIEW } from './act-on-processes';
import { FindProcesses } from './find-processes';
import { BrowseProcesses, type ProcessListFilter } from './browse-processes';
import { SearchAudit } from '../audit/search-audit';
import { ViewOverview } from './view-overview';
import { ViewProcess } from './view-process';
import { OperateQueues } from './operate-queues';
import { ViewSuppliers } from './view-suppliers';
import { ViewWorkers } from './view-workers';

const test = useApplication('postgres', { PORTAGE_OPERATOR: 'Ada' });
const processes = new StoredProcesses(test);

beforeAll(async () => {
  for (let count = 0; count < 4; count += 1) await processes.inState('PROCESSED');
  for (let count = 0; count < 3; count += 1) await processes.inState('ERRORED');
  await processes.inState('DRY_RUN_SUCCEEDED');
  await processes.inState('PENDING', { externalAccountNumber: 'WAITS-1' });
  await processes.sql(
    `UPDATE import_process SET error_detail = 'external_account_number: "Maeve" is too short.',
       error_fields = '[{"attr":"external_account_number","code":"min_length"}]' WHERE error_code = 'error'`,
  );
});

/** The account numbers of a list that is read to its end. */
async function listed(filter: ProcessListFilter, limit = 2): Promise<string[]> {
  const numbers: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const { items, next_cursor: next } = await test.app
      .get(BrowseProcesses)
      .list('LEGACY', filter, { limit, cursor });
    numbers.push(...items.map((item) => item.external_account_number));
    if (next === null) return numbers;
    cursor = next;
  }
  throw new Error('The list has no end.');
}

describe('the list of processes', () => {
  it('has each process once, the newest first, whatever the size of a page', async () => {
    const all = ['WAITS-1', 'T-7', 'T-6', 'T-5', 'T-4', 'T-3', 'T-2', 'T-1', 'T-0'];
    expect(await listed({}, 200)).toEqual(all);
    expect(await listed({}, 1)).toEqual(all);
    expect(await listed({}, 3)).toEqual(all);
  });

  it.each<[ProcessListFilter, string[]]>([
    [{ status: 'ERRORED' }, ['T-6', 'T-5', 'T-4']],
    [{ errorCode: 'error' }, ['T-6', 'T-5', 'T-4']],
    [{ errorCode: 'error', status: 'DRY_RUN_ERRORED' }, []],
    [{ status: 'PENDING' }, ['WAITS-1']],
    [{ text: 'T-' }, ['T-0', 'T-1', 'T-2', 'T-3', 'T-4', 'T-5', 'T-6', 'T-7']],
    [{ text: 'T-', status: 'ERRORED' }, ['T-4', 'T-5', 'T-6']],
    [{ text: 't-' }, []],
    [{ submission: '1' }, []],
    [{ from: new Date('2020-01-01') }, ['WAITS-1', 'T-7', 'T-6', 'T-5', 'T-4', 'T-3', 'T-2', 'T-1', 'T-0']],
    [{ status: 'ERRORED', from: new Date('2020-01-01'), to: new Date('2999-01-01') }, ['T-6', 'T-5', 'T-4']],
    [{ to: new Date('2020-01-01') }, []],
  ])('has the processes that match %j', async (filter, expected) => {
    expect(await listed(filter)).toEqual(expected);
  });

  it('has those that were received within a time, whatever was received before and after it', async () => {
    await processes.sql(
      `UPDATE import_process SET created_at = now() - interval '1 day' + id * interval '1 hour'`,
    );
    const times = await processes.sql<{ at: Date }>(
      'SELECT created_at AS at FROM import_process ORDER BY id',
    );
    const [from, to] = [new Date(times[2]!.at), new Date(times[5]!.at)];
    expect(await listed({ from, to })).toEqual(['T-4', 'T-3', 'T-2']);
    await processes.sql('UPDATE import_process SET created_at = now()');
  });

  it('finds an account by the beginning of its account number', async () => {
    const [row] = await processes.sql<{ number: string; external: string }>(
      `SELECT account_number AS number, external_account_number AS external FROM import_process
       WHERE account_number IS NOT NULL ORDER BY id LIMIT 1`,
    );
    expect(await listed({ text: row!.number })).toEqual([row!.external]);
  });

  it('ends at a cursor of another form and at an unknown supplier', async () => {
    const lists = test.app.get(BrowseProcesses);
    await expect(lists.list('LEGACY', {}, { limit: 1, cursor: 'x' })).rejects.toMatchObject({
      code: 'validation_error',
    });
    await expect(lists.list('UNKNOWN', {}, { limit: 1, cursor: undefined })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the search over all suppliers', () => {
  const find = async (number: string) =>
    (await test.app.get(FindProcesses).find(number)).map(
      ({ import_supplier: code, external_account_number: found }) => [code, found],
    );

  it('finds an account by its external account number, its identifier and its account number', async () => {
    const [row] = await processes.sql<{ number: string; external: string; identifier: string }>(
      `SELECT account_number AS number, external_account_number AS external, external_identifier AS identifier
       FROM import_process WHERE account_number IS NOT NULL ORDER BY id LIMIT 1`,
    );
    for (const number of [row!.external, row!.identifier, row!.number])
      expect(await find(number)).toEqual([['LEGACY', row!.external]]);
    expect(await find(`${row!.external}-`)).toEqual([]);
  });
});

describe('one process', () => {
  it('is shown with its history, its account and its error, whose sentence is for who may read payloads', async () => {
    const views = test.app.get(ViewProcess);
    const [failed] = await processes.sql<{ id: string }>(
      `SELECT id FROM import_process WHERE status = 'ERRORED' LIMIT 1`,
    );
    const view = await views.read('LEGACY', failed!.id);
    expect(view.timeline.map(({ event }) => event)).toEqual(['SCHEDULED', 'STARTED', 'ERRORED']);
    expect(view.error).toEqual({
      code: 'error',
      detail: null,
      fields: [
        {
          path: 'external_account_number',
          code: 'min_length',
          value_masked: expect.stringMatching(/^[x9-]+ \(text, \d+ characters\)$/),
        },
      ],
    });
    expect((await views.read('LEGACY', failed!.id, true)).error!.detail).toBe(
      'external_account_number: "Maeve" is too short.',
    );
    const [created] = await processes.sql<{ id: string }>(
      `SELECT id FROM import_process WHERE status = 'PROCESSED' LIMIT 1`,
    );
    expect((await views.read('LEGACY', created!.id)).created).toMatchObject({
      platform_account_number: expect.stringMatching(/^A-/),
    });
  });

  it('gives its payload with an entry in the audit, in the name of the acting operator', async () => {
    const [one] = await processes.sql<{ id: string }>(`SELECT id FROM import_process ORDER BY id LIMIT 1`);
    await test.app
      .get(ActingOperator)
      .run('operator:grace', async () => test.app.get(ViewProcess).readPayload('LEGACY', one!.id));
    const { items } = await test.app
      .get(SearchAudit)
      .search({ action: 'process.read-payload' }, { limit: 10, cursor: undefined });
    expect(items).toMatchObject([{ actor: 'operator:grace', import_supplier: 'LEGACY', subject: 'T-0' }]);
  });
});

describe('the figures of a supplier', () => {
  it.each(['before', 'after'])(
    'are those of the moment, %s the changes of counts are folded',
    async (when) => {
      if (when === 'after') await test.app.get(FoldImportCounts).run();
      const asked = Date.now();
      const view = await test.app.get(ViewSuppliers).read('LEGACY');
      expect(view.summary.states).toMatchObject({ PROCESSED: 4, ERRORED: 3, PENDING: 1, STAGED: 0 });
      expect(view.funnel).toMatchObject({ received: 9, valid: 6, created: 4, errored: 3 });
      expect(view.top_errors).toMatchObject([
        { code: 'error', count: 3, share: 1, example: { external_account_number: 'T-6' } },
      ]);
      expect(asked - Date.parse(view.summary.counted_at)).toBeLessThan(10_000);
      expect(view.summary.sparkline).toHaveLength(60);
      expect(view.latency_ms).toBeGreaterThan(0);
    },
  );
});

describe('an action on many processes', () => {
  it('changes what the preview has counted, in stretches, and nothing when it is repeated', async () => {
    const actions = test.app.get(ActOnProcesses);
    const selection = { status: 'ERRORED' as const };
    const preview = await actions.preview('LEGACY', 'retry', selection);
    expect(preview).toMatchObject({ count: 3, is_capped: false });
    const confirmed = { action: 'retry' as const, typedCode: 'LEGACY', cursor: undefined };
    const first = { ...selection, first: 2 };
    const act = async (more: object) =>
      test.app
        .get(ActingOperator)
        .run('operator:grace', async () => actions.act('LEGACY', { ...confirmed, ...more } as never));
    await expect(act({ selection, typedCode: 'legacy' })).rejects.toMatchObject({
      code: 'confirmation_required',
    });
    await expect(act({ selection: first, token: preview.token })).rejects.toMatchObject({
      code: 'confirmation_required',
    });
    expect(await act({ selection: first })).toMatchObject({ changed: 2, remaining: false });
    expect(await act({ selection, token: preview.token })).toMatchObject({ changed: 1, remaining: false });
    expect(await act({ selection })).toMatchObject({ changed: 0, remaining: false });
    const { items } = await test.app
      .get(SearchAudit)
      .search({ actor: 'operator:grace', action: 'process.retry' }, { limit: 10, cursor: undefined });
    expect(items.map(({ details }) => details['steered'])).toEqual([0, 1, 2]);
  });

  it('has chosen accounts, and the accounts of an error code', async () => {
    const actions = test.app.get(ActOnProcesses);
    expect(
      await actions.preview('LEGACY', 'cancel', { externalAccountNumbers: ['WAITS-1', 'T-0'] }),
    ).toMatchObject({ count: 1 });
    expect(await actions.preview('LEGACY', 'retry', { errorCode: 'error' })).toMatchObject({ count: 0 });
    await expect(actions.preview('LEGACY', 'retry', { submission: '99' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('counts those of one call, and says that there are more', async () => {
    const actions = test.app.get(ActOnProcesses);
    const selection = { status: 'ERRORED' as const, errorCode: 'many' };
    const store = async (count: number, prefix: string) =>
      processes.sql(
        `INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
           status, latest_event, error_code)
         SELECT $1, $3 || number, $3 || number, 'x', false, 'ERRORED', 'ERRORED', 'many' FROM generate_series(1, $2::integer) number`,
        [test.supplier.id, count, prefix],
      );
    // A retry changes no process whose payload was erased.
    await processes.sql(
      `INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
         status, latest_event, error_code) VALUES ($1, 'ERASED', 'ERASED', '', false, 'ERRORED', 'ERRORED', 'many')`,
      [test.supplier.id],
    );
    await store(MAX_PREVIEW - 1, 'A-');
    const preview = async (first?: number) => actions.preview('LEGACY', 'retry', { ...selection, first });
    expect(await preview()).toMatchObject({ count: MAX_PREVIEW - 1, is_capped: false });
    await store(10, 'B-');
    expect(await preview()).toMatchObject({ count: MAX_PREVIEW - 1, is_capped: true });
    expect(await preview(MAX_PREVIEW + 5)).toMatchObject({ count: MAX_PREVIEW - 1, is_capped: true });
    expect(await preview(3)).toMatchObject({ count: 2, is_capped: false });
  });
});

describe('the audit', () => {
  it('is read in pages without a gap, from both of its sources', async () => {
    const audit = test.app.get(SearchAudit);
    const whole = (await audit.search({}, { limit: 200, cursor: undefined })).items;
    const paged: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 100; page += 1) {
      const { items, next_cursor: next } = await audit.search({}, { limit: 2, cursor });
      paged.push(...items);
      if (next === null) break;
      cursor = next;
    }
    expect(paged).toEqual(whole);
    expect(new Set(whole.map(({ action }) => action))).toEqual(
      new Set([
        'organisation.create',
        'supplier.create',
        'account.schedule',
        'process.read-payload',
        'process.retry',
      ]),
    );
  });
});

describe('workers, vendors and queues', () => {
  it('are shown as the workers report them', async () => {
    expect(await test.app.get(ViewWorkers).vendors()).toMatchObject([
      { name: 'STRIPE', breaker: 'unknown' },
      { name: 'GOCARDLESS', breaker: 'unknown' },
    ]);
    const report = test.app.get(ReportWorker);
    await report.report('1.2.3', [{ queue: 'emails', active: 1, is_consuming: true }]);
    expect(await test.app.get(ViewWorkers).workers()).toMatchObject([{ release: '1.2.3', is_alive: true }]);
    const breakers = async () => (await test.app.get(ViewWorkers).vendors()).map(({ breaker }) => breaker);
    expect(await breakers()).toEqual(['not_configured', 'not_configured']);
    await processes.sql(
      `UPDATE worker_heartbeat SET report = jsonb_set(report, '{vendors,0,is_configured}', 'true')`,
    );
    expect(await breakers()).toEqual(['closed', 'not_configured']);
    const queues = await test.app.get(OperateQueues).list();
    expect(queues.find(({ name }) => name === 'emails')).toMatchObject({
      paused: false,
      backend: 'postgres',
    });
    const paused = await test.app.get(OperateQueues).pause('emails');
    expect(paused.paused).toBe(true);
    expect((await test.app.get(OperateQueues).resume('emails')).paused).toBe(false);
    await expect(test.app.get(OperateQueues).pause('none')).rejects.toMatchObject({ code: 'not_found' });
    const overview = await test.app.get(ViewOverview).read();
    expect(overview).toMatchObject({
      suppliers: [{ code: 'LEGACY' }],
      health: { database: { status: 'ok' }, workers: { alive: 1 } },
    });
    await report.remove();
    expect(await test.app.get(ViewWorkers).workers()).toEqual([]);
  });
});
