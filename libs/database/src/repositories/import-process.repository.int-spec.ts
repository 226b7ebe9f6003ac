import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { startApplication, type TestApplication } from '../../../../test/support/application';
import { Database } from '../database';
import { ImportProcessRepository, type ScheduledImport } from './import-process.repository';

let test: TestApplication;
let processes: ImportProcessRepository;
let database: Database;

beforeEach(async () => {
  await test.app
    .get(DataSource)
    .query('TRUNCATE import_process_event, import_process_payload, import_process CASCADE');
});
beforeAll(async () => {
  test = await startApplication();
  processes = test.app.get(ImportProcessRepository);
  database = test.app.get(Database);
});
afterAll(async () => {
  await test.app.close();
});

const hash = (text: string) => createHash('sha256').update(text).digest();

function scheduled(number: string, more: Partial<ScheduledImport> = {}): ScheduledImport {
  const payload = more.payload ?? JSON.stringify({ external_account_number: number });
  return {
    supplierId: test.supplier.id,
    externalAccountNumber: number,
    externalIdentifier: number,
    isDryRun: false,
    scheduleWindowStart: null,
    scheduleWindowEnd: null,
    payloadHash: hash(payload),
    payload,
    ...more,
  };
}

async function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return test.app.get(DataSource).query<Row[]>(text, values);
}

/** Stores processes as if they were in the given states already. */
async function stored(states: Record<string, string>): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [number, status] of Object.entries(states)) {
    const { processId } = (await processes.insert(scheduled(number)))!;
    ids[number] = processId;
    await sql(
      `UPDATE import_process SET status = $2,
         account_number = CASE WHEN $2 = 'PROCESSED' THEN 'A-00000000' END,
         account_created_at = CASE WHEN $2 = 'PROCESSED' THEN now() END,
         error_code = CASE WHEN $2 IN ('ERRORED', 'DRY_RUN_ERRORED') THEN 'error' END,
         error_detail = CASE WHEN $2 IN ('ERRORED', 'DRY_RUN_ERRORED') THEN 'Words.' END
       WHERE id = $1`,
      [processId, status],
    );
  }
  return ids;
}

describe('storing a process', () => {
  it('stores the process, its payload as it was sent, and the event, in one statement', async () => {
    const payload = '{"external_account_number":"N-1","b":1.50,"a":{"b":1,"b":2},"é":"\\u00e9"}';
    const created = (await processes.insert(scheduled('N-1', { payload })))!;
    expect(created).toEqual({ processId: expect.stringMatching(/^\d+$/), version: 1 });
    const [row] = await sql(
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
  ])('stores nothing where %s is taken', async (_what, more, number) => {
    await processes.insert(scheduled('N-1'));
    expect(await processes.insert(scheduled(number, more))).toBeUndefined();
    expect(await sql('SELECT count(*)::int AS count FROM import_process')).toEqual([{ count: 1 }]);
    expect(await sql('SELECT count(*)::int AS count FROM import_process_payload')).toEqual([{ count: 1 }]);
  });

  it('stores one of many that come at once', async () => {
    const inserted = await Promise.all(
      Array.from({ length: 20 }, async () => processes.insert(scheduled('N-1'))),
    );
    expect(inserted.filter(Boolean)).toHaveLength(1);
  });

  it('lets another supplier have the same identities', async () => {
    const [other] = await sql<{ id: number }>(
      `INSERT INTO import_supplier (organisation_id, code, region, creation_mode, profile, document_root, currency,
         time_zone, verify_documents, reject_undocumented_fields, send_migration_emails)
       SELECT organisation_id, 'OTHER' || random(), region, creation_mode, profile, document_root, currency, time_zone,
         false, false, false FROM import_supplier LIMIT 1 RETURNING id`,
    );
    await processes.insert(scheduled('N-1'));
    expect(await processes.insert(scheduled('N-1', { supplierId: other!.id }))).toMatchObject({ version: 1 });
  });

  it('waits with its job for the window to open', async () => {
    const opens = new Date(Date.now() + 3_600_000);
    await processes.insert(scheduled('N-1', { scheduleWindowStart: opens }));
    const [row] = await sql<{ enqueued_at: string }>('SELECT enqueued_at FROM import_process');
    expect(Date.parse(row!.enqueued_at)).toBe(opens.getTime());
  });
});

describe('replacing a process', () => {
  it('puts a new version in its place and forgets how the old one ended', async () => {
    await stored({ 'N-1': 'ERRORED' });
    const replaced = await database.transaction(async (executor) => {
      const found = (await processes.lock(executor, test.supplier.id, 'N-1'))!;
      expect(found).toMatchObject({ status: 'ERRORED', version: 1, accountNumber: null });
      return processes.replace(
        executor,
        found.processId,
        'PENDING',
        scheduled('N-1', { externalIdentifier: 'new', payload: '{"new":true}', isDryRun: true }),
      );
    });
    expect(replaced.version).toBe(2);
    expect(await processes.viewByExternalIdentifier(test.supplier.id, 'N-1')).toBeUndefined();
    expect(await processes.viewByExternalIdentifier(test.supplier.id, 'new')).toMatchObject({
      status: 'PENDING',
      isDryRun: true,
      errorCode: null,
      latestEvent: 'CREATED',
    });
    expect(await sql('SELECT payload::text FROM import_process_payload')).toEqual([
      { payload: '{"new":true}' },
    ]);
    expect(await sql('SELECT event, version FROM import_process_event ORDER BY version')).toEqual([
      { event: 'SCHEDULED', version: 1 },
      { event: 'SCHEDULED', version: 2 },
    ]);
  });

  it('is done one after the other by those who want it at once', async () => {
    await stored({ 'N-1': 'CANCELLED' });
    const versions = await Promise.all(
      Array.from({ length: 5 }, async () =>
        database.transaction(async (executor) => {
          const found = (await processes.lock(executor, test.supplier.id, 'N-1'))!;
          return (await processes.replace(executor, found.processId, 'PENDING', scheduled('N-1'))).version;
        }),
      ),
    );
    expect(versions.sort()).toEqual([2, 3, 4, 5, 6]);
  });

  it('is not done with the identifier of another account', async () => {
    const ids = await stored({ 'N-1': 'PENDING', 'N-2': 'PENDING' });
    const taken = scheduled('N-2', { externalIdentifier: 'N-1' });
    expect(await database.transaction(async (executor) => processes.isIdentifierTaken(executor, taken))).toBe(
      true,
    );
    expect(
      await database.transaction(async (executor) => processes.isIdentifierTaken(executor, scheduled('N-2'))),
    ).toBe(false);
    await expect(
      database.transaction(async (executor) => processes.replace(executor, ids['N-2']!, 'PENDING', taken)),
    ).rejects.toMatchObject({ code: '23505', constraint: 'import_process_identifier' });
  });
});

const ALL = {
  pending: 'PENDING',
  running: 'IN_PROGRESS',
  staged: 'DRY_RUN_SUCCEEDED',
  'dry-errored': 'DRY_RUN_ERRORED',
  cancelled: 'CANCELLED',
  processed: 'PROCESSED',
  errored: 'ERRORED',
};

describe('steering processes', () => {
  const cases = [
    ['release', 'PENDING', 'RELEASED', ['staged']],
    ['cancel', 'CANCELLED', 'CANCELLED', ['pending']],
    ['retry', 'PENDING', 'RETRIED', ['dry-errored', 'cancelled', 'errored']],
  ] as const;

  it.each(cases)('%s moves what may be moved to %s and records %s', async (action, to, event, moved) => {
    await stored(ALL);
    const steered = await processes.steer({ supplierId: test.supplier.id }, action, to, event, '0', 100);
    expect(steered.map((one) => one.externalAccountNumber)).toEqual(moved);
    for (const { processId, version } of steered) {
      expect(version).toBe(2);
      const [row] = await sql('SELECT status, attempt, error_code FROM import_process WHERE id = $1', [
        processId,
      ]);
      expect(row).toEqual({ status: to, attempt: 0, error_code: null });
      const events = 'SELECT event FROM import_process_event WHERE process_id = $1 AND version = 2';
      expect(await sql(events, [processId])).toEqual([{ event }]);
    }
    const untouched = Object.keys(ALL).filter((number) => !(moved as readonly string[]).includes(number));
    const rows = await sql<{ number: string; status: string }>(
      'SELECT external_account_number AS number, status FROM import_process WHERE version = 1 ORDER BY id',
    );
    expect(rows).toEqual(untouched.map((number) => ({ number, status: ALL[number as keyof typeof ALL] })));
  });

  it.each([
    ['one account', { externalAccountNumber: 'errored' }, ['errored']],
    ['one status', { statuses: ['CANCELLED'] as const }, ['cancelled']],
    ['a status that does not allow it', { statuses: ['PROCESSED', 'PENDING'] as const }, []],
    ['an error', { errorCode: 'error' }, ['dry-errored', 'errored']],
    ['an error that none has', { errorCode: 'other' }, []],
    ['nobody', { externalAccountNumber: 'nobody' }, []],
  ])('a retry takes %s', async (_what, selection, expected) => {
    await stored(ALL);
    const steered = await processes.steer(
      { supplierId: test.supplier.id, ...selection },
      ...(['retry', 'PENDING', 'RETRIED', '0', 100] as const),
    );
    expect(steered.map((one) => one.externalAccountNumber)).toEqual(expected);
  });

  it('works through many in chunks, each once', async () => {
    await stored(Object.fromEntries(Array.from({ length: 10 }, (_, place) => [`N-${place}`, 'ERRORED'])));
    const seen: string[] = [];
    for (let after = '0'; ;) {
      const chunk = await processes.steer(
        { supplierId: test.supplier.id },
        'retry',
        'PENDING',
        'RETRIED',
        after,
        3,
      );
      if (chunk.length === 0) break;
      seen.push(...chunk.map((one) => one.externalAccountNumber));
      after = chunk.at(-1)!.processId;
    }
    expect(seen).toEqual(Array.from({ length: 10 }, (_, place) => `N-${place}`));
  });

  it('takes away the window that was missed', async () => {
    await processes.insert(scheduled('N-1', { scheduleWindowEnd: new Date(Date.now() - 1_000) }));
    await sql("UPDATE import_process SET status = 'CANCELLED'");
    await processes.steer({ supplierId: test.supplier.id }, 'retry', 'PENDING', 'RETRIED', '0', 1);
    expect(await sql('SELECT schedule_window_end FROM import_process')).toEqual([
      { schedule_window_end: null },
    ]);
  });
});

describe('sweeping', () => {
  const LATE = 30_000;
  const old = async () => sql("UPDATE import_process SET enqueued_at = now() - interval '31 seconds'");

  it('takes what is unfinished and was enqueued long ago, and nothing else', async () => {
    await stored(ALL);
    expect(await processes.takeUnfinished(LATE, 100)).toEqual([]);
    await old();
    const taken = await processes.takeUnfinished(LATE, 100);
    expect(taken.map((one) => one.externalAccountNumber).sort()).toEqual(['pending', 'running']);
    expect(taken[0]).toMatchObject({ version: 1, supplierCode: 'LEGACY', processId: expect.any(String) });
    expect(await processes.takeUnfinished(LATE, 100)).toEqual([]);
  });

  it('leaves alone what waits for its window', async () => {
    await processes.insert(scheduled('N-1', { scheduleWindowStart: new Date(Date.now() + 60_000) }));
    expect(await processes.takeUnfinished(0, 100)).toEqual([]);
  });

  it('gives several sweepers at once different processes, and each process to one', async () => {
    await stored(Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`N-${place}`, 'PENDING'])));
    await old();
    const taken = await Promise.all(
      Array.from({ length: 5 }, async () => processes.takeUnfinished(LATE, 10)),
    );
    const numbers = taken.flat().map((one) => one.externalAccountNumber);
    expect(new Set(numbers).size).toBe(numbers.length);
    const rest = await processes.takeUnfinished(LATE, 100);
    expect(numbers.length + rest.length).toBe(30);
    expect(taken.every((part) => part.length <= 10)).toBe(true);
  });

  it('does not wait for a process that somebody has locked', async () => {
    await stored({ locked: 'PENDING', free: 'PENDING' });
    await old();
    await database.transaction(async (executor) => {
      await processes.lock(executor, test.supplier.id, 'locked');
      const taken = await processes.takeUnfinished(LATE, 100);
      expect(taken.map((one) => one.externalAccountNumber)).toEqual(['free']);
    });
  });
});

describe('listing', () => {
  it.each([
    ['all', ['pending', 'running', 'staged', 'dry-errored', 'processed', 'errored']],
    ['pending', ['pending', 'running', 'staged', 'dry-errored', 'errored']],
    ['imported', ['processed']],
  ] as const)('%s: in the order of creation, a chunk at a time', async (kind, expected) => {
    await stored(ALL);
    const seen: string[] = [];
    for (let after = '0'; ;) {
      const chunk = await processes.list(kind, test.supplier.id, after, 2);
      if (chunk.length === 0) break;
      expect(chunk.length).toBeLessThanOrEqual(2);
      seen.push(...chunk.map((one) => one.externalAccountNumber));
      after = chunk.at(-1)!.processId;
    }
    expect(seen).toEqual(expected);
  });

  it('follows the order of creation beyond ten processes, where texts would not', async () => {
    const numbers = Array.from({ length: 12 }, (_, place) => `N-${place}`);
    await stored(Object.fromEntries(numbers.map((number) => [number, 'PENDING'])));
    const listed = await processes.list('all', test.supplier.id, '0', 100);
    expect(listed.map((one) => one.externalAccountNumber)).toEqual(numbers);
    expect(await processes.idOf(test.supplier.id, 'N-9')).toBe(listed[9]!.processId);
  });
});
