import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { Database } from '../connection/database';
import { ImportProcessReadingRepository } from './import-process-reading.repository';
import {
  ImportProcessSchedulingRepository,
  type InsertedImport,
  type ScheduledImport,
} from './import-process-scheduling.repository';

let test: TestApplication;
let stored: StoredProcesses;
let processes: ImportProcessSchedulingRepository;
let database: Database;

beforeAll(async () => {
  test = await startApplication();
  stored = new StoredProcesses(test);
  processes = test.app.get(ImportProcessSchedulingRepository);
  database = test.app.get(Database);
});
afterAll(async () => {
  await test.app.close();
});
beforeEach(async () => {
  await stored.removeAll();
});

const insert = async (scheduled: ScheduledImport) => (await processes.insert([scheduled]))[0];
const versionOf = (inserted: InsertedImport | undefined) =>
  inserted?.kind === 'stored' ? inserted.version : undefined;

describe('inserting a process', () => {
  it('stores the process, its payload as it was sent, and the event, in one statement', async () => {
    const payload = '{"external_account_number":"N-1","b":1.50,"a":{"b":1,"b":2},"é":"\\u00e9"}';
    expect(await insert(stored.scheduled('N-1', { payload }))).toEqual({
      kind: 'stored',
      version: { processId: expect.stringMatching(/^\d+$/), version: 1 },
      batchId: null,
    });
    const [row] = await stored.sql(
      `SELECT status, process.version, process.attempt, latest_event, payload::text, event.event
       FROM import_process process JOIN import_process_payload payload ON payload.process_id = process.id
       JOIN import_process_event event ON event.process_id = process.id`,
    );
    expect(row).toEqual({
      status: 'PENDING',
      version: 1,
      attempt: 0,
      latest_event: 'CREATED',
      payload,
      event: 'SCHEDULED',
    });
  });

  it.each([
    ['the external account number', { externalIdentifier: 'other' }, 'N-1'],
    ['the external identifier', { externalIdentifier: 'N-1' }, 'N-2'],
    ['both', {}, 'N-1'],
  ])('stores nothing if %s is taken', async (_what, more, number) => {
    await insert(stored.scheduled('N-1'));
    expect(await insert(stored.scheduled(number, more))).toEqual({ kind: 'exists' });
    expect(await stored.sql('SELECT count(*)::int AS count FROM import_process')).toEqual([{ count: 1 }]);
    expect(await stored.sql('SELECT count(*)::int AS count FROM import_process_payload')).toEqual([
      { count: 1 },
    ]);
  });

  it('stores many in one statement and returns for each whether it is new', async () => {
    await insert(stored.scheduled('N-2'));
    const numbers = ['N-3', 'N-1', 'N-2', 'N-4'];
    const inserted = await processes.insert(
      numbers.map((number) => stored.scheduled(number, { payload: `{"number": "${number}"}` })),
    );
    expect(inserted.map((one) => versionOf(one)?.version)).toEqual([1, 1, undefined, 1]);
    const payloads = await stored.sql(
      `SELECT id AS "processId", payload::text FROM import_process JOIN import_process_payload ON process_id = id
       WHERE external_account_number <> 'N-2' ORDER BY external_account_number`,
    );
    expect(payloads).toEqual(
      [inserted[1], inserted[0], inserted[3]].map((one, index) => ({
        processId: versionOf(one)!.processId,
        payload: `{"number": "${['N-1', 'N-3', 'N-4'][index]}"}`,
      })),
    );
  });

  it('gives several processes of a supplier one batch, and none to others or with a schedule window', async () => {
    const opens = new Date(Date.now() + 3_600_000);
    const inserted = await processes.insert([
      stored.scheduled('N-1'),
      stored.scheduled('N-2', { scheduleWindowStart: opens }),
      stored.scheduled('N-3'),
    ]);
    const batchIds = inserted.map((one) => (one.kind === 'stored' ? one.batchId : undefined));
    expect(batchIds).toEqual([expect.stringMatching(/^\d+$/), null, batchIds[0]]);
    const rows = await stored.sql<{ batch_id: string | null }>(
      'SELECT batch_id FROM import_process ORDER BY external_account_number',
    );
    expect(rows.map(({ batch_id }) => batch_id)).toEqual(batchIds);
  });

  it('stores one of several concurrent requests for the same account', async () => {
    const inserted = await Promise.all(
      Array.from({ length: 20 }, async () => insert(stored.scheduled('N-1'))),
    );
    expect(inserted.filter((one) => one?.kind === 'stored')).toHaveLength(1);
  });

  it('allows another supplier to have the same account number and identifier', async () => {
    const [other] = await stored.sql<{ id: number }>(
      `INSERT INTO import_supplier (organisation_id, code, region, creation_mode, profile, document_root, currency,
         time_zone, verify_documents, reject_undocumented_fields, send_migration_emails)
       SELECT organisation_id, 'OTHER' || random(), region, creation_mode, profile, 'other', currency, time_zone,
         false, false, false FROM import_supplier LIMIT 1 RETURNING id`,
    );
    await insert(stored.scheduled('N-1'));
    expect(await insert(stored.scheduled('N-1', { supplierId: other!.id }))).toMatchObject({
      kind: 'stored',
      version: { version: 1 },
    });
  });

  it('counts as enqueued when its schedule window opens', async () => {
    const opens = new Date(Date.now() + 3_600_000);
    await insert(stored.scheduled('N-1', { scheduleWindowStart: opens }));
    const [row] = await stored.sql<{ enqueued_at: string }>('SELECT enqueued_at FROM import_process');
    expect(Date.parse(row!.enqueued_at)).toBe(opens.getTime());
  });
});

describe('replacing a process', () => {
  it('creates a new version and clears the result of the old one', async () => {
    const errored = await stored.inState('ERRORED', { externalAccountNumber: 'N-1' });
    const replaced = await database.transaction(async (executor) => {
      const locked = (await processes.lock(executor, test.supplier.id, 'N-1'))!;
      expect(locked).toMatchObject({ status: 'ERRORED', version: 1, accountNumber: null });
      return processes.replace(
        executor,
        locked.processId,
        stored.scheduled('N-1', { externalIdentifier: 'new', payload: '{"new":true}', isDryRun: true }),
      );
    });
    expect(replaced).toMatchObject({ version: 2 });
    const views = test.app.get(ImportProcessReadingRepository);
    const named = ['N-1', 'new'].map((name) => ({ supplierId: test.supplier.id, name }));
    expect(await views.views('external_identifier', named)).toEqual([
      undefined,
      expect.objectContaining({ status: 'PENDING', isDryRun: true, errorCode: null, latestEvent: 'CREATED' }),
    ]);
    expect(await stored.sql('SELECT payload::text FROM import_process_payload')).toEqual([
      { payload: '{"new":true}' },
    ]);
    expect((await stored.read(errored)).events).toEqual(['SCHEDULED', 'STARTED', 'ERRORED', 'SCHEDULED']);
  });

  it('creates one version for each concurrent request', async () => {
    await stored.inState('CANCELLED', { externalAccountNumber: 'N-1' });
    const versions = await Promise.all(
      Array.from({ length: 5 }, async () =>
        database.transaction(async (executor) => {
          const locked = (await processes.lock(executor, test.supplier.id, 'N-1'))!;
          return (await processes.replace(executor, locked.processId, stored.scheduled('N-1')))!.version;
        }),
      ),
    );
    expect(versions.sort()).toEqual([2, 3, 4, 5, 6]);
  });

  it('is refused with the identifier of another account', async () => {
    await stored.inState('PENDING', { externalAccountNumber: 'N-1' });
    const { processId } = await stored.inState('PENDING', { externalAccountNumber: 'N-2' });
    const taken = stored.scheduled('N-2', { externalIdentifier: 'N-1' });
    expect(await database.transaction(async (executor) => processes.isIdentifierTaken(executor, taken))).toBe(
      true,
    );
    expect(
      await database.transaction(async (executor) =>
        processes.isIdentifierTaken(executor, stored.scheduled('N-2')),
      ),
    ).toBe(false);
    await expect(
      database.transaction(async (executor) => processes.replace(executor, processId, taken)),
    ).rejects.toMatchObject({ code: '23505', constraint: 'import_process_identifier' });
  });
});

describe('an import that is scheduled again', () => {
  it.each([
    ['PENDING', true],
    ['IN_PROGRESS', true],
    ['DRY_RUN_SUCCEEDED', false],
    ['DRY_RUN_ERRORED', false],
    ['CANCELLED', false],
    ['PROCESSED', false],
    ['ERRORED', false],
  ] as const)('is active while its process is %s: %s', async (status, expected) => {
    const { number } = await stored.inState(status);
    expect(await processes.isActive(stored.scheduled(number))).toBe(expected);
    expect(await processes.isActive(stored.scheduled(number, { payload: '{}' }))).toBe(false);
    expect(await processes.isActive(stored.scheduled('unknown'))).toBe(false);
  });
});
