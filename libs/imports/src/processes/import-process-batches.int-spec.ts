import { SearchAudit } from '@portage/operators';
import { Database, type Statement } from '@portage/platform';
import { insertProcesses, StoredProcesses, useApplication } from '@portage/testing/application';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { ImportProcessReadingRepository } from './import-process-reading.repository';
import { ImportProcessSteeringRepository } from './import-process-steering.repository';
import { StaleImportRepository } from './stale-import.repository';

const COUNT = 5_000;
const ROWS = 100;

interface PlanNode {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const test = useApplication();

beforeAll(async () => {
  const processes = new StoredProcesses(test);
  // The table is not analyzed, so the planner assumes that it is as small as at the start of the service.
  await processes.sql('ALTER TABLE import_process SET (autovacuum_enabled = off)');
  await processes.sql(
    insertProcesses(`generate_series(1, ${COUNT}) AS n`, { enqueued_at: `now() - interval '1 hour'` }),
  );
});

/** The maximum number of rows that a node of the plan read for the statement of `work`. */
async function maxPlanRows(work: () => Promise<unknown>): Promise<number> {
  const database = test.app.get(Database);
  const real = database.run.bind(database);
  const maxRows = (node: PlanNode): number =>
    Math.max(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), ...(node.Plans ?? []).map(maxRows));
  let rows = 0;
  database.run = async (statement: Statement, values) => {
    const text = `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`;
    const [row] = await real<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ name: '', text }, values);
    rows = maxRows(row!['QUERY PLAN'][0].Plan);
    return [];
  };
  try {
    await work();
    return rows;
  } finally {
    database.run = real;
  }
}

/** The queries of TypeORM that `work` makes, to be repeated as statements. */
async function queriesOf(work: () => Promise<unknown>): Promise<(() => Promise<unknown>)[]> {
  const query = jest.spyOn(PostgresQueryRunner.prototype, 'query');
  await work();
  const calls = query.mock.calls.filter(([text]) => text.startsWith('SELECT'));
  query.mockRestore();
  return calls.map(([text, values]) => async () => {
    await test.app.get(Database).run({ name: '', text }, (values ?? []) as unknown[]);
  });
}

describe('a batch reads only its own rows of a large table', () => {
  it('a list reads only its own rows', async () => {
    const lists = test.app.get(ImportProcessReadingRepository);
    expect(
      await maxPlanRows(async () =>
        lists.list({ supplierId: test.supplier.id, statuses: ['PENDING'] }, '0', ROWS),
      ),
    ).toBe(ROWS);
  });

  it('a list of statuses reads only its own rows, whatever the number of other processes', async () => {
    const lists = test.app.get(ImportProcessReadingRepository);
    const supplierId = test.supplier.id;
    const rare = { supplierId, statuses: ['ERRORED', 'CANCELLED'] } as const;
    expect(await maxPlanRows(async () => lists.list(rare, '0', ROWS))).toBeLessThanOrEqual(2 * ROWS);
  });

  it.each(['external_identifier', 'external_account_number'] as const)(
    'a lookup by %s reads only its own rows',
    async (naming) => {
      const named = Array.from({ length: ROWS }, (_, n) => ({
        supplierId: test.supplier.id,
        name: `N-${n + 1}`,
      }));
      const reading = test.app.get(ImportProcessReadingRepository);
      expect(await maxPlanRows(async () => reading.views(naming, named))).toBe(ROWS);
    },
  );

  it('the audit trail reads only its own rows', async () => {
    const processes = new StoredProcesses(test);
    await processes.sql(
      `INSERT INTO import_process_event (process_id, version, attempt, event, actor)
       SELECT id, 1, 0, 'SCHEDULED', 'api-key:test' FROM import_process`,
    );
    await processes.sql(
      `INSERT INTO audit_entry (actor, action) SELECT 'operator:test', 'queue.pause' FROM import_process`,
    );
    const audit = test.app.get(SearchAudit);
    const { next_cursor: middle } = await audit.search({}, { limit: 1_000, cursor: undefined });
    // Of the table and of the events.
    for (const cursor of [undefined, middle!]) {
      const queries = await queriesOf(async () => audit.search({}, { limit: ROWS, cursor }, ROWS));
      expect(queries.length).toBeGreaterThan(2);
      for (const query of queries) expect(await maxPlanRows(query)).toBeLessThanOrEqual(2 * ROWS);
    }
  });

  it('the sweeper reads only its own rows', async () => {
    const unfinished = test.app.get(StaleImportRepository);
    expect(await maxPlanRows(async () => unfinished.take(1_000, ROWS))).toBe(ROWS);
  });

  it('an operator command reads only its own rows', async () => {
    const steering = test.app.get(ImportProcessSteeringRepository);
    const selection = { supplierId: test.supplier.id };
    const cancelling = { action: 'cancel', from: ['PENDING'], actor: 'operator:test' } as const;
    let ids: string[] = [];
    const [query] = await queriesOf(async () => {
      ids = (await steering.select(cancelling, selection, '0', ROWS)).map(({ id }) => id);
    });
    expect(await maxPlanRows(query!)).toBe(ROWS);
    expect(await maxPlanRows(async () => steering.steer(cancelling, ids))).toBe(ROWS);
  });
});
