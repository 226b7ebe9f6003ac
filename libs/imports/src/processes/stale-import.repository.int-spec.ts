import { Database } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import {
  insertProcesses,
  SessionDatabase,
  StoredProcesses,
  useApplication,
  useCountingExecutor,
} from '@portage/testing/application';
import { ImportCountRepository } from '../counts/import-count.repository';
import { IMPORT_PROCESS_STATUSES } from './status';
import { ImportProcessStagingRepository } from './import-process-staging.repository';
import { StaleImportRepository } from './stale-import.repository';

const test = useApplication();
const stored = new StoredProcesses(test);
let staleImports: StaleImportRepository;

beforeAll(async () => {
  staleImports = test.app.get(StaleImportRepository);
});
beforeEach(async () => {
  await stored.removeAll();
});

describe('sweeping', () => {
  const MIN_AGE_MS = 30_000;
  const ageAll = async () =>
    stored.sql("UPDATE import_process SET enqueued_at = now() - interval '31 seconds'");

  it('takes unfinished processes that were enqueued long ago, and no others', async () => {
    for (const status of IMPORT_PROCESS_STATUSES)
      await stored.inState(status, { externalAccountNumber: status });
    expect(await staleImports.take(MIN_AGE_MS, 100)).toEqual([]);
    await ageAll();
    const taken = await staleImports.take(MIN_AGE_MS, 100);
    expect(taken.map((one) => one.externalAccountNumber).sort()).toEqual(['IN_PROGRESS', 'PENDING']);
    expect(taken[0]).toMatchObject({ version: 1, supplierCode: 'LEGACY', processId: expect.any(String) });
    expect(await staleImports.take(MIN_AGE_MS, 100)).toEqual([]);
  });

  it('takes the oldest of a supplier first, and the supplier with the oldest first, up to its limit', async () => {
    const { id } = await test.app.get(ImportSuppliers).create('LATER', 'Supplier Ltd', {});
    const ages: [string, number, number][] = [
      ['new', 40, test.supplier.id],
      ['older', 90, test.supplier.id],
      ['old', 60, test.supplier.id],
      ['oldest', 120, id],
    ];
    for (const [externalAccountNumber, age, supplierId] of ages) {
      const { processId } = await stored.inState('PENDING', { externalAccountNumber, supplierId });
      await stored.sql(
        `UPDATE import_process SET enqueued_at = now() - make_interval(secs => $2) WHERE id = $1`,
        [processId, age],
      );
    }
    const take = async () =>
      (await staleImports.take(MIN_AGE_MS, 2)).map((one) => one.externalAccountNumber).sort();
    expect([await take(), await take()]).toEqual([
      ['older', 'oldest'],
      ['new', 'old'],
    ]);
  });

  it('skips processes that wait for their schedule window', async () => {
    await stored.inState('PENDING', { scheduleWindowStart: new Date(Date.now() + 60_000).toISOString() });
    expect(await staleImports.take(0, 100)).toEqual([]);
  });

  it('leaves out what a paused supplier holds, until it is resumed or complete', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    for (const status of ['PENDING', 'IN_PROGRESS'] as const)
      await stored.inState(status, { externalAccountNumber: status });
    const take = async () => {
      await ageAll();
      const taken = await staleImports.take(MIN_AGE_MS, 100);
      return taken.map((one) => one.externalAccountNumber).sort();
    };
    try {
      await suppliers.setStatus('LEGACY', 'Paused');
      expect(await take()).toEqual(['IN_PROGRESS']);
      await suppliers.setStatus('LEGACY', 'Complete');
      expect(await take()).toEqual(['IN_PROGRESS', 'PENDING']);
    } finally {
      await suppliers.setStatus('LEGACY', 'Ongoing');
    }
    expect(await take()).toEqual(['IN_PROGRESS', 'PENDING']);
  });

  it('gives each process to one of several concurrent sweepers', async () => {
    for (let place = 0; place < 30; place += 1) await stored.inState('PENDING');
    await ageAll();
    const taken = await Promise.all(Array.from({ length: 5 }, async () => staleImports.take(MIN_AGE_MS, 10)));
    const numbers = taken.flat().map((one) => one.externalAccountNumber);
    expect(new Set(numbers).size).toBe(numbers.length);
    const rest = await staleImports.take(MIN_AGE_MS, 100);
    expect(numbers.length + rest.length).toBe(30);
    expect(taken.every((part) => part.length <= 10)).toBe(true);
  });

  it('skips a locked process without waiting', async () => {
    await stored.inState('PENDING', { externalAccountNumber: 'locked' });
    await stored.inState('PENDING', { externalAccountNumber: 'free' });
    await ageAll();
    await test.app.get(Database).transaction(async (executor) => {
      await test.app.get(ImportProcessStagingRepository).lock(executor, test.supplier.id, 'locked');
      const taken = await staleImports.take(MIN_AGE_MS, 100);
      expect(taken.map((one) => one.externalAccountNumber)).toEqual(['free']);
    });
  });

  it('takes the process whose schedule window has opened first', async () => {
    for (const [externalAccountNumber, age] of [
      ['second', 10],
      ['first', 20],
    ] as const) {
      const { processId } = await stored.inState('PENDING', { externalAccountNumber });
      await stored.sql(
        `UPDATE import_process SET schedule_window_start = opened, enqueued_at = opened
         FROM (SELECT now() - make_interval(secs => $2)) start (opened) WHERE id = $1`,
        [processId, age],
      );
    }
    const takeOne = async () => (await staleImports.takeDue(1)).map((one) => one.externalAccountNumber);
    expect([await takeOne(), await takeOne()]).toEqual([['first'], ['second']]);
  });

  it('skips a locked process whose schedule window has opened, without waiting', async () => {
    for (const externalAccountNumber of ['locked', 'free'])
      await stored.inState('PENDING', { externalAccountNumber });
    await stored.sql(`UPDATE import_process SET schedule_window_start = now(), enqueued_at = now()`);
    await test.app.get(Database).transaction(async (executor) => {
      await test.app.get(ImportProcessStagingRepository).lock(executor, test.supplier.id, 'locked');
      const taken = await staleImports.takeDue(100);
      expect(taken.map((one) => one.externalAccountNumber)).toEqual(['free']);
    });
  });
});

describe('sweeping corrections', () => {
  const MIN_AGE_MS = 30_000;

  /** Corrections of imported accounts, by their numbers: the version, the status and the age in seconds of each. */
  async function corrections(
    supplierId: number,
    accounts: Record<string, [version: number, status: string, age: number][]>,
  ): Promise<void> {
    for (const [externalAccountNumber, versions] of Object.entries(accounts)) {
      const { processId } = await stored.inState('PROCESSED', { supplierId, externalAccountNumber });
      for (const [version, status, age] of versions)
        await stored.sql(
          `INSERT INTO import_process_correction (process_id, version, supplier_id, status, is_dry_run, payload_hash,
             change_count, actor, enqueued_at, ended_at)
           VALUES ($1, $2, $3, $4, false, 'x', 0, 'api-key:test', now() - make_interval(secs => $5),
             CASE WHEN $4 <> 'PENDING' THEN now() END)`,
          [processId, version, supplierId, status, age],
        );
    }
  }

  const take = async () =>
    (await staleImports.takeCorrections(MIN_AGE_MS, 100))
      .map((one) => `${one.supplierCode} ${one.externalAccountNumber} ${one.version}`)
      .sort();

  it('takes the pending ones that were enqueued long ago, once, and none of a paused supplier', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    const { id } = await suppliers.create('SECOND', 'Supplier Ltd', {});
    await corrections(test.supplier.id, {
      again: [
        [2, 'SUCCEEDED', 90],
        [3, 'PENDING', 60],
      ],
      recent: [[2, 'PENDING', 0]],
    });
    await corrections(id, { other: [[2, 'PENDING', 60]], paused: [[2, 'PENDING', 60]] });
    await suppliers.setStatus('SECOND', 'Paused');
    expect(await take()).toEqual(['LEGACY again 3']);
    await suppliers.setStatus('SECOND', 'Ongoing');
    expect(await take()).toEqual(['SECOND other 2', 'SECOND paused 2']);
    expect(await take()).toEqual([]);
  });

  it('takes the oldest first, up to its limit over all suppliers', async () => {
    const { id } = await test.app.get(ImportSuppliers).create('THIRD', 'Supplier Ltd', {});
    await corrections(test.supplier.id, { old: [[2, 'PENDING', 60]], older: [[2, 'PENDING', 90]] });
    const takeOne = async () =>
      (await staleImports.takeCorrections(MIN_AGE_MS, 1)).map((one) => one.externalAccountNumber);
    expect(await takeOne()).toEqual(['older']);
    await corrections(id, { other: [[2, 'PENDING', 60]] });
    const [one, two, none] = [await takeOne(), await takeOne(), await takeOne()];
    expect([[...one, ...two].sort(), one.length, none]).toEqual([['old', 'other'], 1, []]);
  });

  it('skips a locked one without waiting', async () => {
    await corrections(test.supplier.id, { locked: [[2, 'PENDING', 60]], free: [[2, 'PENDING', 60]] });
    await test.app.get(Database).transaction(async ({ manager }) => {
      await manager.query(
        `SELECT FROM import_process_correction JOIN import_process ON id = process_id
         WHERE external_account_number = 'locked' FOR UPDATE OF import_process_correction`,
      );
      expect(await take()).toEqual(['LEGACY free 2']);
    });
  });
});

describe('the cost of a sweep', () => {
  const HELD = 2_000;
  const executor = useCountingExecutor('Paused', 'Waiting', 'Idle', 'Empty');
  const database = new SessionDatabase(executor);
  const sweeps = new StaleImportRepository(database);
  const counts = new ImportCountRepository(database);

  beforeAll(async () => {
    await executor.client.query(`UPDATE import_supplier SET status = 'Paused' WHERE code = 'Paused'`);
    // Planned while the tables are empty, as in a new installation.
    await measure();
    await add('Waiting', 1, 200, '1 hour');
  });

  const add = async (supplier: string, from: number, to: number, age: string) =>
    executor.client.query(
      insertProcesses(
        `import_supplier, generate_series(${from}, ${to}) AS n WHERE code = '${supplier}' ORDER BY n`,
        { supplier_id: 'id', enqueued_at: `now() - interval '${age}'` },
      ),
    );

  /** The pages that a sweep and a scrape of the stuck processes have read. */
  async function measure() {
    const taken = await sweeps.take(30_000, 10);
    const sweep = executor.pages;
    const stuck = await counts.countStuck(new Date(Date.now() - 7_200_000), new Date(0));
    return { taken, stuck, sweep, scrape: executor.pages };
  }

  it('does not grow with what a paused supplier holds', async () => {
    await add('Paused', 1, HELD, '3 hours');
    const few = await measure();
    await add('Paused', HELD + 1, 10 * HELD, '3 hours');
    const many = await measure();
    for (const { taken, stuck } of [few, many]) {
      expect(taken).toHaveLength(10);
      expect(new Set(taken.map(({ supplierCode }) => supplierCode))).toEqual(new Set(['Waiting']));
      expect(stuck).toBe(0);
    }
    // An index may be one level higher.
    expect(many.sweep).toBeLessThan(few.sweep + 30);
    expect(many.scrape).toBeLessThan(few.scrape + 10);
  });

  it('is that of the processes that it takes when many schedule windows open, equally many of each supplier that has some', async () => {
    const opening = "(SELECT now() + interval '1 hour') start (opened)";
    await executor.client.query(
      insertProcesses(
        `import_supplier, generate_series(1, ${HELD}) AS n, ${opening} WHERE code <> 'Empty' ORDER BY id, n`,
        {
          supplier_id: 'id',
          external_account_number: `'W-' || n`,
          schedule_window_start: 'opened',
          enqueued_at: 'opened',
        },
      ),
    );
    expect(await sweeps.takeDue(10)).toEqual([]);
    await executor.client.query(`
      UPDATE import_process SET schedule_window_start = opened, enqueued_at = opened
      FROM (SELECT now() - interval '1 second') start (opened) WHERE schedule_window_start IS NOT NULL`);
    for (let step = 0; step < 3; step += 1) {
      // Each is one row, and an entry in each of its indexes.
      const taken = await executor.within(1_000, sweeps.takeDue(10));
      const codes = taken.map(({ supplierCode }) => supplierCode).sort();
      expect(codes).toEqual([...Array(5).fill('Idle'), ...Array(5).fill('Waiting')]);
    }
  });
});
