import { FoldImportCounts, ImportAccounts, ImportCountRepository } from '@portage/imports';
import { Database } from '@portage/platform';
import {
  addSuppliers,
  CountingExecutor,
  SessionDatabase,
  StoredProcesses,
  useApplication,
} from '@portage/testing/application';
import { SupplierOverviewRepository } from './supplier-overview.repository';
import { ViewOverview } from './view-overview';
import { ViewSuppliers } from './view-suppliers';

describe('the figures of operators', () => {
  const test = useApplication();
  const stored = new StoredProcesses(test);

  /** The states by the tables. */
  async function statesBySql(): Promise<Record<string, number>> {
    const rows = await stored.sql<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM import_process GROUP BY status',
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  async function states(): Promise<Record<string, number>> {
    const { summary } = await test.app.get(ViewSuppliers).read('LEGACY');
    const { STAGED: _staged, ...shown } = summary.states;
    return Object.fromEntries(Object.entries(shown).filter(([, count]) => count > 0));
  }

  it('agree with the tables at the same moment during an import, without a worker, and at rest', async () => {
    const imports = test.app.get(ImportAccounts);
    let isDone = false;
    const work = async (writer: string) => {
      for (let batch = 0; batch < 15; batch += 1) {
        const versions = [];
        for (let one = 0; one < 4; one += 1)
          versions.push(
            await stored.inState('PENDING', { externalAccountNumber: `${writer}-${batch}-${one}` }),
          );
        await imports.import(versions.slice(0, 3), { isFirstRun: true });
      }
    };
    const all = Promise.all([work('A'), work('B')]).then(() => {
      isDone = true;
    });
    // Both reads are of one snapshot, which other transactions do not change.
    const overview = test.app.get(SupplierOverviewRepository);
    let moved = 0;
    let last = '';
    while (!isDone) {
      const [shown, found] = await test.app.get(Database).transaction(async (reads) => {
        await reads.run({ name: '', text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' }, []);
        const supplier = await overview.find('LEGACY', reads);
        const text = 'SELECT status, count(*)::int AS count FROM import_process GROUP BY status';
        const rows = await reads.run<{ status: string; count: number }>({ name: '', text }, []);
        return [supplier!.counts, Object.fromEntries(rows.map(({ status, count }) => [status, count]))];
      });
      expect(Object.fromEntries(Object.entries(shown).filter(([, count]) => count !== 0))).toEqual(found);
      if (JSON.stringify(found) !== last) moved += 1;
      last = JSON.stringify(found);
      await test.app.get(FoldImportCounts).run();
    }
    await all;
    expect(moved).toBeGreaterThan(5);
    expect(await states()).toEqual(await statesBySql());
    const { suppliers } = await test.app.get(ViewOverview).read();
    const ended = await stored.sql<{ processed: number }>(
      `SELECT count(*)::int AS processed FROM import_process WHERE status = 'PROCESSED'
         AND account_created_at > now() - interval '1 minute'`,
    );
    const {
      processed_per_second_of_minute: rate,
      estimated_end_at: end,
      oldest_waiting_at: oldest,
    } = suppliers[0]!;
    // The last minute begins at a whole second.
    expect(rate).toBeGreaterThanOrEqual(ended[0]!.processed / 61 - 0.01);
    expect(rate).toBeLessThanOrEqual(ended[0]!.processed / 60 + 0.01);
    expect(Date.parse(oldest!)).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(end!)).toBeGreaterThan(Date.now());
  });

  it('have an estimated end that is not before the last window opens', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await stored.inState('PENDING', { scheduleWindowStart: tomorrow });
    const { summary } = await test.app.get(ViewSuppliers).read('LEGACY');
    expect(Date.parse(summary.estimated_end_at!)).toBe(Date.parse(tomorrow));
  });

  it('are zero where nothing moves: no rate of the last ten seconds, and no estimated end', async () => {
    await stored.sql(`UPDATE import_throughput_second SET at = at - interval '20 seconds'`);
    await stored.sql(`UPDATE import_count_change SET changed_at = changed_at - interval '20 seconds'`);
    const { summary } = await test.app.get(ViewSuppliers).read('LEGACY');
    expect(summary).toMatchObject({ processed_per_second: 0, estimated_end_at: null });
    expect(summary.processed_per_second_of_minute).toBeGreaterThan(0);
  });

  it('have no account that waits for its window, or for a request, as the one that waits longest', async () => {
    await stored.sql(`UPDATE import_process SET status = 'CANCELLED' WHERE status = 'PENDING'`);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    await stored.inState('PENDING', { scheduleWindowStart: soon });
    await stored.inState('PENDING', { staging: 'WAITING' });
    const { summary } = await test.app.get(ViewSuppliers).read('LEGACY');
    expect(summary).toMatchObject({ oldest_waiting_at: null, states: { PENDING: 2, STAGED: 1 } });
  });

  it('share a read among those who ask at the same time', async () => {
    const views = test.app.get(ViewSuppliers);
    const run = jest.spyOn(test.app.get(SupplierOverviewRepository), 'find');
    await Promise.all(Array.from({ length: 20 }, async () => views.read('LEGACY')));
    expect(run).toHaveBeenCalledTimes(2);
    run.mockRestore();
  });
});

describe('the cost of the figures', () => {
  const SMALL = 5_000;

  it('is the same for ten times the accounts', async () => {
    const executor = await CountingExecutor.connect();
    const { client } = executor;
    const pages: number[] = [];
    try {
      await client.query('SET plan_cache_mode = force_generic_plan');
      const suppliers = new SupplierOverviewRepository();
      await addSuppliers(client, 'small', 'large');
      await suppliers.find('small', executor);
      await suppliers.errorCodes(1, 10, executor);
      await client.query(`
        INSERT INTO import_process (supplier_id, is_dry_run, status, latest_event, external_account_number,
          external_identifier, payload_hash, error_code, enqueued_at)
        SELECT supplier, false, CASE n % 2 WHEN 0 THEN 'PENDING' ELSE 'ERRORED' END, 'CREATED', 'N-' || n, 'N-' || n, '',
          CASE n % 2 WHEN 0 THEN NULL ELSE 'error_' || n % 10 END, now()
        FROM (VALUES (1, ${SMALL}), (2, ${10 * SMALL})) AS s (supplier, count), generate_series(1, count) AS n`);
      await new FoldImportCounts(new ImportCountRepository(new SessionDatabase(executor))).run();
      const found: unknown[] = [];
      for (const [code, id] of [
        ['small', 1],
        ['large', 2],
      ] as const) {
        found.push((await suppliers.find(code, executor))!.counts);
        pages.push(executor.pages);
        found.push((await suppliers.errorCodes(id, 10, executor)).map(({ count }) => count));
        pages.push(executor.pages);
      }
      expect(found).toEqual([
        { PENDING: 2_500, ERRORED: 2_500 },
        [500, 500, 500, 500, 500],
        { PENDING: 25_000, ERRORED: 25_000 },
        [5_000, 5_000, 5_000, 5_000, 5_000],
      ]);
    } finally {
      await client.end();
    }
    // An index of ten times the entries can have a level more.
    expect(pages[2]).toBeLessThan(pages[0]! + 5);
    expect(pages[3]).toBeLessThan(pages[1]! + 10);
  });
});
