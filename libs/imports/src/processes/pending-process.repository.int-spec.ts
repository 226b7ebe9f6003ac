import { StoredProcesses, useApplication } from '@portage/testing/application';
import { ImportProcessReadingRepository } from './import-process-reading.repository';
import {
  type ExistingProcess,
  type PendingProcess,
  PendingProcessRepository,
  type WrittenProcess,
} from './pending-process.repository';

const test = useApplication();
const stored = new StoredProcesses(test);
let processes: PendingProcessRepository;

beforeAll(async () => {
  processes = test.app.get(PendingProcessRepository);
});
beforeEach(async () => {
  await stored.removeAll();
});

const writeAll = async (pending: PendingProcess[]) => (await processes.write(pending)) as WrittenProcess[];
const insert = async (pending: PendingProcess) => (await writeAll([pending]))[0];
const versionOf = (written: WrittenProcess | undefined) =>
  written?.kind === 'written' ? written.version : undefined;
const existing = async (pending: PendingProcess) => (await processes.findExisting([pending]))[0]!;

describe('inserting a process', () => {
  it('stores the process, its payload as it was sent, and the event, in one statement', async () => {
    const payload = '{"external_account_number":"N-1","b":1.50,"a":{"b":1,"b":2},"é":"\\u00e9"}';
    expect(await insert(stored.scheduled('N-1', { payload }))).toEqual({
      kind: 'written',
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
    expect(await insert(stored.scheduled(number, more))).toEqual({ kind: 'conflict' });
    expect(await test.countRows('import_process')).toBe(1);
    expect(await test.countRows('import_process_payload')).toBe(1);
  });

  it('stores many in one statement and returns for each whether it is new', async () => {
    await insert(stored.scheduled('N-2'));
    const numbers = ['N-3', 'N-1', 'N-2', 'N-4'];
    const inserted = await writeAll(
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

  it('gives several processes of a supplier that start together one batch, and others none', async () => {
    const opens = new Date(Date.now() + 3_600_000);
    const inserted = await writeAll([
      stored.scheduled('N-1'),
      stored.scheduled('N-2', { scheduleWindowStart: opens.toISOString() }),
      stored.scheduled('N-3'),
    ]);
    const batchIds = inserted.map((one) => (one.kind === 'written' ? one.batchId : undefined));
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
    expect(inserted.filter((one) => one?.kind === 'written')).toHaveLength(1);
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
      kind: 'written',
      version: { version: 1 },
    });
  });

  it('counts as enqueued when its schedule window opens', async () => {
    const opens = new Date(Date.now() + 3_600_000);
    await insert(stored.scheduled('N-1', { scheduleWindowStart: opens.toISOString() }));
    const [row] = await stored.sql<{ enqueued_at: string }>('SELECT enqueued_at FROM import_process');
    expect(Date.parse(row!.enqueued_at)).toBe(opens.getTime());
  });
});

describe('replacing a process', () => {
  const replace = async (pending: PendingProcess, replaced: ExistingProcess) =>
    insert({ ...pending, replaces: replaced });

  it('creates a new version and clears the result of the old one', async () => {
    const errored = await stored.inState('ERRORED', { externalAccountNumber: 'N-1' });
    const sent = stored.scheduled('N-1', {
      externalIdentifier: 'new',
      payload: '{"new":true}',
      isDryRun: true,
    });
    const { process, isIdentifierTaken } = await existing(sent);
    expect(process).toMatchObject({ status: 'ERRORED', version: 1, accountNumber: null });
    expect(isIdentifierTaken).toBe(false);
    expect(await replace(sent, process!)).toMatchObject({ kind: 'written', version: { version: 2 } });
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

  it('leaves others of the same version and status alone', async () => {
    const others = [
      await stored.inState('ERRORED', { externalAccountNumber: 'N-1' }),
      await stored.inState('ERRORED', { externalAccountNumber: 'N-3' }),
    ];
    await stored.inState('ERRORED', { externalAccountNumber: 'N-2' });
    const before = await Promise.all(others.map(async (other) => stored.read(other)));
    const sent = stored.scheduled('N-2');
    expect(await replace(sent, (await existing(sent)).process!)).toMatchObject({ kind: 'written' });
    expect(await Promise.all(others.map(async (other) => stored.read(other)))).toEqual(before);
  });

  it.each([
    ['now', null, null],
    ['when its schedule window opens', new Date(Date.now() + 3_600_000).toISOString(), null],
    ['never if it is staged', null, 'WAITING' as const],
  ])('counts it as enqueued %s', async (_when, scheduleWindowStart, staging) => {
    await stored.inState('ERRORED', { externalAccountNumber: 'N-1' });
    const sent = stored.scheduled('N-1', { scheduleWindowStart, staging });
    await replace(sent, (await existing(sent)).process!);
    const [row] = await stored.sql(
      `SELECT enqueued_at = CASE WHEN staging IS NULL THEN coalesce(schedule_window_start, modified_at)
         ELSE 'infinity' END AS is_enqueued FROM import_process`,
    );
    expect(row).toEqual({ is_enqueued: true });
  });

  it('stores the payload of a process whose payload was erased', async () => {
    await stored.inState('CANCELLED', { externalAccountNumber: 'N-1' });
    await stored.sql('DELETE FROM import_process_payload');
    const sent = stored.scheduled('N-1', { payload: '{"again":1}' });
    await replace(sent, (await existing(sent)).process!);
    expect(await stored.sql('SELECT payload::text FROM import_process_payload')).toEqual([
      { payload: '{"again":1}' },
    ]);
  });

  it('happens once for concurrent requests that have read the same version', async () => {
    await stored.inState('CANCELLED', { externalAccountNumber: 'N-1' });
    const sent = stored.scheduled('N-1');
    const { process } = await existing(sent);
    const written = await Promise.all([1, 2, 3, 4, 5].map(async () => replace(sent, process!)));
    expect(written.filter((one) => one?.kind === 'written')).toHaveLength(1);
    expect(written.filter((one) => one?.kind === 'conflict')).toHaveLength(4);
  });

  it('is left out if the process has been started since it was read', async () => {
    const pending = await stored.inState('PENDING', { externalAccountNumber: 'N-1' });
    const sent = stored.scheduled('N-1');
    const { process } = await existing(sent);
    await stored.sql(`UPDATE import_process SET status = 'IN_PROGRESS', attempt = 1`);
    expect(await replace(sent, process!)).toEqual({ kind: 'conflict' });
    expect((await stored.read(pending)).row).toMatchObject({ status: 'IN_PROGRESS', version: 1 });
  });

  it('is left out if a later version has come to the same status since it was read', async () => {
    const errored = await stored.inState('ERRORED', { externalAccountNumber: 'N-1' });
    const sent = stored.scheduled('N-1');
    const { process } = await existing(sent);
    await stored.sql('UPDATE import_process SET version = 2');
    expect(await replace(sent, process!)).toEqual({ kind: 'conflict' });
    expect((await stored.read(errored)).row).toMatchObject({ status: 'ERRORED', version: 2 });
  });

  it('is refused with the identifier of another account', async () => {
    await stored.inState('PENDING', { externalAccountNumber: 'N-1' });
    await stored.inState('PENDING', { externalAccountNumber: 'N-2' });
    const taken = stored.scheduled('N-2', { externalIdentifier: 'N-1' });
    const { process, isIdentifierTaken } = await existing(taken);
    expect(isIdentifierTaken).toBe(true);
    expect((await existing(stored.scheduled('N-2'))).isIdentifierTaken).toBe(false);
    await expect(replace(taken, process!)).rejects.toMatchObject({
      code: '23505',
      constraint: 'import_process_identifier',
    });
  });

  it('finds nothing under the names of an unknown account', async () => {
    expect(await existing(stored.scheduled('unknown'))).toEqual({
      process: undefined,
      isIdentifierTaken: false,
    });
  });
});
