import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { Database, type Statement } from '../connection/database';
import { AuditRepository } from '../audit/audit.repository';
import { ImportProcessReadingRepository } from './import-process-reading.repository';
import { ImportProcessSteeringRepository } from './import-process-steering.repository';
import { StaleImportRepository } from './stale-import.repository';

const COUNT = 5_000;
const ROWS = 100;

interface PlanNode {
  'Actual Rows': number;
  Plans?: PlanNode[];
}

let test: TestApplication;

beforeAll(async () => {
  test = await startApplication();
  // Nobody has analyzed the table: the planner believes it to be small, as it was when the service started.
  await new StoredProcesses(test).sql(
    `INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
       status, latest_event, enqueued_at)
     SELECT $1, 'N-' || n, 'N-' || n, '', false, 'PENDING', 'CREATED', now() - interval '1 hour'
     FROM generate_series(1, $2) n`,
    [test.supplier.id, COUNT],
  );
});
afterAll(async () => {
  await test.app.close();
});

/** The most rows that any part of the plan handled while `work` ran its statement. */
async function mostRows(work: () => Promise<unknown>): Promise<number> {
  const database = test.app.get(Database);
  const real = database.run.bind(database);
  const most = (node: PlanNode): number => Math.max(node['Actual Rows'], ...(node.Plans ?? []).map(most));
  let found = 0;
  database.run = async (statement: Statement, values) => {
    const text = `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`;
    const [row] = await real<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ name: '', text }, values);
    found = most(row!['QUERY PLAN'][0].Plan);
    return [];
  };
  try {
    await work();
    return found;
  } finally {
    database.run = real;
  }
}

describe('a batch reads its own rows and no others, however many follow', () => {
  it.each(['all', 'pending'] as const)('of the list %s', async (kind) => {
    const lists = test.app.get(ImportProcessReadingRepository);
    expect(await mostRows(async () => lists.list(kind, test.supplier.id, '0', ROWS))).toBe(ROWS);
  });

  it.each(['external_identifier', 'external_account_number'] as const)(
    'of those named by %s',
    async (naming) => {
      const named = Array.from({ length: ROWS }, (_, n) => ({
        supplierId: test.supplier.id,
        name: `N-${n + 1}`,
      }));
      const reading = test.app.get(ImportProcessReadingRepository);
      expect(await mostRows(async () => reading.views(naming, named))).toBe(ROWS);
    },
  );

  it('of the audit', async () => {
    await new StoredProcesses(test).sql(
      `INSERT INTO import_process_event (process_id, version, attempt, event, actor)
       SELECT id, 1, 0, 'SCHEDULED', 'api-key:test' FROM import_process`,
    );
    const audit = test.app.get(AuditRepository);
    const start = { occurredAt: 'infinity', id: '0', version: 0 };
    expect(await mostRows(async () => audit.schedulings('-infinity', start, ROWS))).toBe(ROWS);
  });

  it('of what the sweeper takes', async () => {
    const unfinished = test.app.get(StaleImportRepository);
    expect(await mostRows(async () => unfinished.take(1_000, ROWS))).toBe(ROWS);
  });

  it('of what an operator steers', async () => {
    const steering = test.app.get(ImportProcessSteeringRepository);
    const selection = { supplierId: test.supplier.id };
    expect(
      await mostRows(async () =>
        steering.steer({ action: 'cancel', from: ['PENDING'], actor: 'operator:test' }, selection, '0', ROWS),
      ),
    ).toBe(ROWS);
  });
});
