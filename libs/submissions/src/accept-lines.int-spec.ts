import { createHash } from 'node:crypto';
import {
  AcceptAccounts,
  type AcceptedAccount,
  type AccountToAccept,
  DatabaseRules,
  ImportProcessSteeringRepository,
  type MeasureValues,
  PendingProcessRepository,
  type RefusedLine,
  type UploadKey,
} from '@portage/imports';
import { Database, type Statement } from '@portage/platform';
import { uploadCounts } from '@portage/testing';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { findCountDifferences } from '@portage/testing/promises';
import { AbortSubmission } from './abort-submission';
import { SubmissionRepository } from './submission.repository';
import { SubmissionUploadRepository } from './submission-upload.repository';
import { decideLine, errorsOfLine } from './line-refusal';
import { refuseLine } from './read-line';

const LIMITS = { maxConcurrent: 4, lifetimeSeconds: 60 };
const ACTOR = 'api-key:test';

const test = useApplication();
const stored = new StoredProcesses(test);
let submissions: SubmissionRepository;
let uploads: SubmissionUploadRepository;
let references = 0;

beforeAll(async () => {
  submissions = test.app.get(SubmissionRepository);
  uploads = test.app.get(SubmissionUploadRepository);
});
beforeEach(async () => {
  await stored.removeAll();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest();

const measures = (transactions = 0): MeasureValues => ({
  accounts: 1,
  customers: 1,
  supply_points: 0,
  statements: 0,
  transactions,
  opening_balance: '12.34',
  payment_instructions: 0,
  debts: 0,
  readings: 0,
  statement_total: 0,
  opening_debits: '0.00',
  opening_credits: '12.34',
  documents: 0,
});

/** A valid account of a line, in the form in which uploads accept it. */
interface AccountLine {
  line: number;
  externalAccountNumber: string;
  externalIdentifier: string;
  payload: string;
  measures: MeasureValues;
}

function accountLine(line: number, number: string, more: Partial<AccountLine> = {}): AccountLine {
  const payload = JSON.stringify({ external_account_number: number });
  return {
    line,
    externalAccountNumber: number,
    externalIdentifier: number,
    payload,
    measures: measures(),
    ...more,
  };
}

const toAccept = (
  { line, measures: measured, ...names }: AccountLine,
  { submissionId }: UploadKey,
): AccountToAccept => ({
  process: {
    ...stored.scheduled(names.externalAccountNumber, { ...names, actor: ACTOR }),
    line: { number: line, measures: measured },
  },
  job: { organisationId: test.organisationId, supplier: 'LEGACY', submissionId },
  rules: new DatabaseRules([], async () => Promise.resolve([])),
  decide: (existing, process) =>
    decideLine(existing, process, { id: submissionId, mode: 'create' }, { reimportAfterErasure: false }),
});

const refusedLine = (line: number, number: string): RefusedLine => ({
  line,
  externalAccountNumber: number,
  refusedKey: sha256(number),
  errors: [{ code: 'invalid', detail: 'Words.', attr: 'customers' }],
  payloadDigest: sha256(`${line}`),
  measures: measures(),
});

/** Opens a submission and starts an upload. */
async function open(isDryRun = false): Promise<UploadKey> {
  const id = await submissions.insert({
    supplierId: test.supplier.id,
    reference: `R-${(references += 1)}`,
    requestHash: sha256(''),
    expected: {},
    kind: 'accounts',
    mode: 'create',
    isDryRun,
    scheduleWindowStart: null,
    scheduleWindowEnd: null,
    actor: ACTOR,
  });
  return start(id!);
}

async function start(submissionId: string): Promise<UploadKey> {
  return (await uploads.start(submissionId, ACTOR, LIMITS))!;
}

/** Accepts lines. Undefined if the submission is closed. */
async function store(
  upload: UploadKey,
  accounts: AccountLine[],
  refused: RefusedLine[] = [],
): Promise<AcceptedAccount[] | undefined> {
  return (await storeAll(upload, [...accounts, ...refused]))?.slice(0, accounts.length);
}

/** As {@link store}, in any order. */
async function storeAll(
  upload: UploadKey,
  lines: (AccountLine | RefusedLine)[],
): Promise<AcceptedAccount[] | undefined> {
  const results = await test.app.get(AcceptAccounts).accept(
    lines.map((line) => ('refusedKey' in line ? line : toAccept(line, upload))),
    {
      key: upload,
      refuse: ({ process }, refusal) =>
        refuseLine(
          process.line!.number!,
          JSON.parse(process.payload),
          process.payloadDigest!,
          errorsOfLine(refusal),
        ),
      repeat: ({ process }, { processId }) => ({
        line: process.line!.number!,
        externalAccountNumber: process.externalAccountNumber,
        payloadDigest: process.payloadDigest,
        processId,
      }),
      imported: ({ process }, { processId }, outcome) => ({
        line: process.line!.number!,
        externalAccountNumber: process.externalAccountNumber,
        payloadDigest: process.payloadDigest,
        measures: process.line!.measures,
        importedProcessId: processId,
        outcome,
      }),
    },
  );
  const values = results.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    if ((result.reason as { code?: string }).code === 'submission_not_open') return undefined;
    throw result.reason;
  });
  return values.includes(undefined) ? undefined : (values as AcceptedAccount[]);
}

/** The counts of a submission. Those that are not named are 0. */
const submissionCounts = (counts: object) => ({
  refused: 0,
  takenOver: 0,
  withWarnings: 0,
  unchanged: 0,
  corrections: { pending: 0, succeeded: 0, rehearsed: 0, errored: 0, cancelled: 0 },
  repeated: 0,
  processes: {},
  ...counts,
});

/** What became of each account, in one word. */
const kinds = (results: AcceptedAccount[] | undefined) =>
  results?.map((result) => (result.kind === 'refused' ? (result.refusal?.kind ?? 'refused') : result.kind));

const storedLines = async (submissionId: string) =>
  stored.sql<{ outcome: string | null; process: string | null }>(
    `SELECT upload_number AS upload, line, outcome, transactions, external_account_number AS number,
       (SELECT process.external_account_number FROM import_process process WHERE process.id = process_id) AS process
     FROM submission_line WHERE submission_id = $1 ORDER BY upload_number, line`,
    [submissionId],
  );

/** Sets the status of a process, with the columns that the checks of the table demand. */
async function setStatus(number: string, status: string): Promise<void> {
  await stored.sql(
    `UPDATE import_process SET status = $2,
       account_number = CASE WHEN $2 = 'PROCESSED' THEN 'A-' || id ELSE NULL END,
       error_code = CASE WHEN $2 LIKE '%ERRORED' THEN 'error' END
     WHERE external_account_number = $1`,
    [number, status],
  );
}

describe('a batch of lines', () => {
  it('stores processes, payloads, events, lines and counters in one statement', async () => {
    const upload = await open();
    const statement = jest.spyOn(test.app.get(Database), 'run');
    const results = await store(
      upload,
      [accountLine(1, 'N-1'), accountLine(3, 'N-2')],
      [refusedLine(4, 'X')],
    );
    expect(statement).toHaveBeenCalledTimes(1);
    statement.mockRestore();
    expect(kinds(results)).toEqual(['created', 'created']);
    const processes = await stored.sql(
      `SELECT external_account_number AS number, status, process.submission_id AS submission, payload::text, event.event, actor
       FROM import_process process JOIN import_process_payload payload ON payload.process_id = process.id
       JOIN import_process_event event ON event.process_id = process.id
       ORDER BY number`,
    );
    expect(processes).toEqual(
      ['N-1', 'N-2'].map((number) => ({
        number,
        status: 'PENDING',
        submission: upload.submissionId,
        event: 'SCHEDULED',
        actor: ACTOR,
        payload: `{"external_account_number":"${number}"}`,
      })),
    );
    const batches = await stored.sql('SELECT DISTINCT batch_id FROM import_process');
    expect(batches).toEqual([{ batch_id: expect.stringMatching(/^\d+$/) }]);
    expect(await storedLines(upload.submissionId)).toEqual([
      { upload: 1, line: 1, outcome: null, transactions: 0, number: null, process: 'N-1' },
      { upload: 1, line: 3, outcome: null, transactions: 0, number: null, process: 'N-2' },
      { upload: 1, line: 4, outcome: 'refused', transactions: 0, number: 'X', process: null },
    ]);
    expect(await uploads.end(upload)).toEqual(uploadCounts({ lines: 3, accepted: 2, refused: 1 }));
    expect(await submissions.count(upload.submissionId)).toEqual(
      submissionCounts({ refused: 1, processes: { PENDING: 2 } }),
    );
  });

  it('is repeated if it is sent again, and its refused lines are counted once', async () => {
    const first = await open();
    const batch = [accountLine(1, 'N-1'), accountLine(2, 'N-2')];
    await store(first, batch, [refusedLine(3, 'X')]);
    const second = await start(first.submissionId);
    expect(kinds(await store(second, batch, [refusedLine(3, 'X')]))).toEqual(['repeated', 'repeated']);
    expect(await uploads.end(second)).toEqual(uploadCounts({ lines: 3, refused: 1, repeated: 2 }));
    expect(await submissions.count(first.submissionId)).toEqual(
      submissionCounts({ refused: 1, repeated: 2, processes: { PENDING: 2 } }),
    );
    expect((await storedLines(first.submissionId)).map(({ outcome }) => outcome)).toEqual([
      null,
      null,
      'refused',
    ]);
  });

  it('decides about lines of one account, or with one identifier, in their order', async () => {
    const upload = await open();
    const [one, other] = ['X', 'Y'].map((externalIdentifier) => ({ externalIdentifier })) as [object, object];
    // A refused line is no reason to refuse the account behind it, and one behind the account is a further line of it.
    const lines = [
      refusedLine(1, 'A'),
      accountLine(2, 'A'),
      refusedLine(3, 'A'),
      accountLine(4, 'A', { payload: '{"external_account_number":"A","notes":[]}' }),
      accountLine(5, 'A'),
      accountLine(6, 'B', one),
      accountLine(7, 'C', one),
      accountLine(8, 'C', other),
      refusedLine(9, 'C'),
      accountLine(10, 'D', other),
    ];
    expect(kinds(await storeAll(upload, lines))).toEqual([
      ...['refused', 'created', 'refused', 'existing', 'repeated'],
      ...['created', 'identifier-taken', 'created', 'refused', 'identifier-taken'],
    ]);
    expect(await uploads.end(upload)).toEqual(
      uploadCounts({ lines: 10, accepted: 3, refused: 6, repeated: 1 }),
    );
    expect(
      await stored.sql(
        `SELECT line, coalesce(outcome, 'accepted') AS outcome FROM submission_line WHERE submission_id = $1 ORDER BY line`,
        [upload.submissionId],
      ),
    ).toEqual([
      { line: 2, outcome: 'accepted' },
      { line: 4, outcome: 'refused' },
      { line: 6, outcome: 'accepted' },
      { line: 8, outcome: 'accepted' },
      { line: 9, outcome: 'refused' },
      { line: 10, outcome: 'refused' },
    ]);
  });

  it('has one further line of an account, the last refused one or else the last repeated one', async () => {
    const upload = await open();
    const id = upload.submissionId;
    const further = async () => (await storedLines(id)).filter(({ process }) => process === null);
    await store(upload, [accountLine(1, 'N-1')]);
    await store(upload, [accountLine(2, 'N-1')]);
    await store(upload, [accountLine(3, 'N-1')]);
    expect(await further()).toMatchObject([{ line: 3, outcome: 'repeated', number: 'N-1' }]);
    const other = { payload: '{"external_account_number":"N-1","note":1}' };
    for (const line of [4, 5])
      expect(kinds(await store(upload, [accountLine(line, 'N-1', other)]))).toEqual(['existing']);
    await store(upload, [accountLine(6, 'N-1')]);
    expect(await further()).toMatchObject([{ line: 5, outcome: 'refused', number: 'N-1' }]);
    expect(await submissions.count(id)).toEqual(
      submissionCounts({ refused: 1, repeated: 3, processes: { PENDING: 1 } }),
    );
    expect(await uploads.end(upload)).toEqual(
      uploadCounts({ lines: 6, accepted: 1, refused: 2, repeated: 3 }),
    );
    expect(await findCountDifferences(async (text) => stored.sql(text))).toEqual([]);
  });

  it('has the further line of an account also where another account has a line of its number', async () => {
    const upload = await open();
    await store(upload, [accountLine(1, 'N-1'), accountLine(2, 'N-2')]);
    const again = await start(upload.submissionId);
    await store(again, [accountLine(2, 'N-1')], [refusedLine(1, 'X')]);
    expect(await storedLines(upload.submissionId)).toMatchObject([
      { upload: 1, line: 1, process: 'N-1' },
      { upload: 1, line: 2, process: 'N-2' },
      { upload: 2, line: 1, outcome: 'refused', number: 'X' },
      { upload: 2, line: 2, outcome: 'repeated', number: 'N-1' },
    ]);
  });

  it('has one line of an account that submissions take from each other', async () => {
    const bystander = await open();
    await store(bystander, [], [refusedLine(1, 'N-1')]);
    const first = await open();
    const other = { payload: '{"external_account_number":"N-1","note":1}' };
    await store(first, [accountLine(1, 'N-1')]);
    await store(first, [accountLine(2, 'N-1', other)]);
    await setStatus('N-1', 'ERRORED');
    const second = await open();
    expect(kinds(await store(second, [accountLine(1, 'N-1')]))).toEqual(['replaced']);
    const [taken, ...more] = await storedLines(first.submissionId);
    expect([taken, more]).toEqual([
      { upload: 1, line: 1, outcome: 'cancelled', transactions: 0, number: 'N-1', process: null },
      [],
    ]);
    expect(kinds(await store(first, [accountLine(3, 'N-1')]))).toEqual(['existing']);
    expect(await storedLines(first.submissionId)).toMatchObject([{ line: 3, outcome: 'refused' }]);
    await setStatus('N-1', 'CANCELLED');
    expect(kinds(await store(first, [accountLine(4, 'N-1')]))).toEqual(['replaced']);
    expect(await storedLines(first.submissionId)).toMatchObject([{ line: 4, outcome: null }]);
    expect(await storedLines(second.submissionId)).toMatchObject([{ line: 1, outcome: 'cancelled' }]);
    expect(await storedLines(bystander.submissionId)).toMatchObject([{ line: 1, outcome: 'refused' }]);
    expect(await findCountDifferences(async (text) => stored.sql(text))).toEqual([]);
  });

  it.each([
    ['PENDING', 'same', 'repeated'],
    ['IN_PROGRESS', 'same', 'repeated'],
    ['PROCESSED', 'same', 'repeated'],
    ['DRY_RUN_SUCCEEDED', 'same', 'repeated'],
    ['ERRORED', 'same', 'replaced'],
    ['DRY_RUN_ERRORED', 'same', 'replaced'],
    ['CANCELLED', 'same', 'replaced'],
    ['PENDING', 'other', 'existing'],
    ['IN_PROGRESS', 'other', 'existing'],
    ['PROCESSED', 'other', 'existing'],
    ['DRY_RUN_SUCCEEDED', 'other', 'replaced'],
    ['ERRORED', 'other', 'replaced'],
    ['CANCELLED', 'other', 'replaced'],
  ])('finds its account %s with the %s content: %s', async (status, content, kind) => {
    const first = await open();
    await store(first, [accountLine(1, 'N-1')]);
    await setStatus('N-1', status);
    const second = await start(first.submissionId);
    const payload = content === 'same' ? undefined : '{"external_account_number":"N-1","note":1}';
    const line = accountLine(7, 'N-1', { measures: measures(5), ...(payload && { payload }) });
    const results = await store(second, [line]);
    expect(kinds(results)).toEqual([kind]);
    expect(await storedLines(first.submissionId)).toEqual([
      kind === 'replaced'
        ? { upload: 2, line: 7, outcome: null, transactions: 5, number: null, process: 'N-1' }
        : { upload: 1, line: 1, outcome: null, transactions: 0, number: null, process: 'N-1' },
      ...(kind === 'replaced'
        ? []
        : [
            {
              upload: 2,
              line: 7,
              outcome: kind === 'existing' ? 'refused' : 'repeated',
              transactions: 0,
              number: 'N-1',
              process: null,
            },
          ]),
    ]);
    const [row] = await stored.sql<{ version: number; status: string }>(
      'SELECT version, status FROM import_process',
    );
    expect(row).toEqual(kind === 'replaced' ? { version: 2, status: 'PENDING' } : { version: 1, status });
  });

  it('replaces an account that had a dry run only with other parameters', async () => {
    const first = await open();
    await store(first, [accountLine(1, 'N-1'), accountLine(2, 'N-2')]);
    await stored.sql(`UPDATE import_process SET status = 'DRY_RUN_SUCCEEDED', is_dry_run = true`);
    const second = await start(first.submissionId);
    expect(kinds(await store(second, [accountLine(5, 'N-1')]))).toEqual(['replaced']);
    expect(await storedLines(first.submissionId)).toMatchObject([
      { upload: 1, line: 2, process: 'N-2' },
      { upload: 2, line: 5, process: 'N-1' },
    ]);
  });

  it('has the line of an account that is sent by itself since, with what was sent last', async () => {
    const upload = await open();
    await store(upload, [accountLine(1, 'N-1'), accountLine(2, 'N-2')]);
    await setStatus('N-1', 'ERRORED');
    const sent = stored.scheduled('N-1');
    const processes = test.app.get(PendingProcessRepository);
    const [names] = await processes.findExisting([sent]);
    const line = { number: undefined, measures: measures(7) };
    await processes.write([{ ...sent, replaces: names!.process, line }]);
    expect(await storedLines(upload.submissionId)).toMatchObject([
      { upload: 1, line: 1, transactions: 7, process: 'N-1' },
      { upload: 1, line: 2, transactions: 0, process: 'N-2' },
    ]);
  });

  it('takes over an account of another submission that has ended without an account, and no other', async () => {
    const first = await open();
    const numbers = ['N-1', 'N-2', 'N-3'];
    await store(
      first,
      numbers.map((number, index) => accountLine(index + 1, number)),
    );
    await setStatus('N-1', 'ERRORED');
    await setStatus('N-3', 'PROCESSED');
    const second = await open();
    const results = await store(
      second,
      numbers.map((number, index) =>
        accountLine(index + 1, number, number === 'N-3' ? { payload: '{"note":1}' } : {}),
      ),
    );
    expect(results).toMatchObject([
      { kind: 'replaced', version: { processId: expect.any(String), version: 2 } },
      {
        kind: 'refused',
        refusal: {
          kind: 'existing',
          process: { status: 'PENDING', accountNumber: null, submissionId: first.submissionId },
          hasSamePayload: true,
        },
      },
      {
        kind: 'refused',
        refusal: {
          kind: 'existing',
          process: {
            status: 'PROCESSED',
            accountNumber: expect.stringMatching('A-'),
            submissionId: first.submissionId,
          },
          hasSamePayload: false,
        },
      },
    ]);
    expect(await submissions.count(first.submissionId)).toEqual(
      submissionCounts({ takenOver: 1, processes: { PENDING: 1, PROCESSED: 1 } }),
    );
    expect((await storedLines(first.submissionId))[0]).toEqual({
      upload: 1,
      line: 1,
      outcome: 'cancelled',
      transactions: 0,
      number: 'N-1',
      process: null,
    });
    expect((await submissions.count(second.submissionId)).processes).toEqual({ PENDING: 1 });
  });

  it('removes the refused line of an account that it accepts, and none of another submission', async () => {
    const [upload, other] = [await open(), await open()];
    await store(upload, [], [refusedLine(1, 'N-1'), refusedLine(2, 'N-2')]);
    await store(other, [], [refusedLine(1, 'N-1')]);
    await store(upload, [accountLine(3, 'N-1')]);
    expect(await submissions.count(upload.submissionId)).toEqual(
      submissionCounts({ refused: 1, processes: { PENDING: 1 } }),
    );
    expect(await submissions.count(other.submissionId)).toEqual(submissionCounts({ refused: 1 }));
  });

  it('does not store an account whose external identifier another one has', async () => {
    const upload = await open();
    await store(upload, [accountLine(1, 'N-1', { externalIdentifier: 'I' })]);
    expect(
      kinds(await store(upload, [accountLine(2, 'N-2', { externalIdentifier: 'I' }), accountLine(3, 'N-3')])),
    ).toEqual(['identifier-taken', 'created']);
  });

  it('keeps its submission open until it is committed', async () => {
    const upload = await open();
    const completing = await test.app.get(Database).transaction(async (executor) => {
      const process = { ...stored.scheduled('N-1'), line: { number: 1, measures: measures() } };
      const writes = { upload, refused: [], repeated: [], imported: [] };
      await test.app.get(PendingProcessRepository).write([process], writes, executor);
      const completed = submissions.complete(upload.submissionId);
      await test.untilWaiting();
      return [completed];
    });
    expect(await Promise.all(completing)).toEqual([true]);
  });

  it.each(['complete', 'abort'] as const)('stores nothing after %s', async (end) => {
    const upload = await open();
    await store(upload, [accountLine(1, 'N-1')]);
    const ended = test.app
      .get(Database)
      .transaction(async (executor) => submissions[end](upload.submissionId, executor));
    expect(await ended).toBe(true);
    expect(await store(upload, [accountLine(2, 'N-2')], [refusedLine(3, 'X')])).toBeUndefined();
    expect(await uploads.renew(upload)).toBe(false);
    expect(await uploads.end(upload)).toEqual(uploadCounts({ lines: 1, accepted: 1 }));
    expect(await storedLines(upload.submissionId)).toHaveLength(1);
  });
});

describe('uploads of a submission', () => {
  it('are limited over all processes, and one whose process has died is over after its lifetime', async () => {
    const { submissionId } = await open();
    const started = await Promise.all(
      Array.from({ length: 6 }, async () => uploads.start(submissionId, ACTOR, LIMITS)),
    );
    expect(started.filter((upload) => upload !== undefined)).toHaveLength(3);
    await stored.sql(
      `UPDATE submission_upload SET renewed_at = now() - interval '61 s' WHERE submission_id = $1 AND number = 1`,
      [submissionId],
    );
    expect(await uploads.start(submissionId, ACTOR, LIMITS)).toEqual({ submissionId, number: 5 });
  });
});

describe('the counts of a submission', () => {
  it('read neither processes nor lines', async () => {
    const upload = await open();
    await store(
      upload,
      Array.from({ length: 64 }, (_, index) => accountLine(index + 1, `N-${index}`)),
    );
    const database = test.app.get(Database);
    const real = database.run.bind(database);
    let plan = '';
    database.run = async (statement: Statement, values) => {
      const rows = await real<{ 'QUERY PLAN': string }>(
        {
          name: '',
          text: `EXPLAIN (ANALYZE, COSTS OFF) ${statement.text}`,
        },
        values,
      );
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return [];
    };
    try {
      await stored.sql('SET enable_seqscan = off');
      await submissions.count(upload.submissionId);
    } finally {
      database.run = real;
    }
    expect(plan).toMatch(/Index Scan using import_count_pkey/);
    expect(plan).toMatch(/Index Scan using import_count_change_pkey/);
    expect(plan).not.toMatch(/import_process|submission_line/);
  });
});

describe('the end of a submission', () => {
  it('is noticed when its last account has ended, and forgotten when one of them is retried', async () => {
    const upload = await open();
    const { submissionId: id } = upload;
    await store(upload, [accountLine(1, 'N-1')]);
    expect(await submissions.finish(id)).toBeUndefined();
    await submissions.complete(id);
    expect(await submissions.complete(id)).toBe(false);
    expect(await submissions.finish(id)).toBeUndefined();
    expect((await submissions.listUnfinished('0', 10)).filter((row) => row.id === id)).toMatchObject([
      { isActive: true },
    ]);
    await setStatus('N-1', 'ERRORED');
    expect(await submissions.finish(id)).toEqual(expect.any(String));
    expect((await submissions.find(test.organisationId, id))?.finishedAt).toEqual(expect.any(String));
    const steering = { action: 'retry', from: ['ERRORED'], actor: ACTOR } as const;
    const processes = test.app.get(ImportProcessSteeringRepository);
    const name = { supplierId: test.supplier.id, externalAccountNumber: 'N-1' };
    await processes.steer(steering, [(await processes.findId(name))!]);
    expect((await submissions.find(test.organisationId, id))?.finishedAt).toBeNull();
  });

  it('is forgotten of the submission of a retried or replaced account, and of no other', async () => {
    const uploaded = [await open(), await open()];
    for (const [index, upload] of uploaded.entries()) {
      await store(upload, [accountLine(1, `N-${index}`)]);
      await submissions.complete(upload.submissionId);
    }
    const areFinished = async () => {
      const found = uploaded.map(async ({ submissionId }) => submissions.find(undefined, submissionId));
      return (await Promise.all(found)).map((one) => one!.finishedAt !== null);
    };
    const end = async () => {
      for (const [index, { submissionId }] of uploaded.entries()) {
        await setStatus(`N-${index}`, 'ERRORED');
        await submissions.finish(submissionId);
      }
      expect(await areFinished()).toEqual([true, true]);
    };
    await end();
    const processes = test.app.get(ImportProcessSteeringRepository);
    const name = { supplierId: test.supplier.id, externalAccountNumber: 'N-0' };
    const id = (await processes.findId(name))!;
    await processes.steer({ action: 'cancel', from: ['ERRORED'], actor: ACTOR }, [id]);
    expect(await areFinished()).toEqual([true, true]);
    await processes.steer({ action: 'retry', from: ['CANCELLED'], actor: ACTOR }, [id]);
    expect(await areFinished()).toEqual([false, true]);
    await end();
    const sent = stored.scheduled('N-0');
    const [names] = await test.app.get(PendingProcessRepository).findExisting([sent]);
    await test.app.get(PendingProcessRepository).write([{ ...sent, replaces: names!.process }]);
    expect(await areFinished()).toEqual([false, true]);
  });

  it('is aborted with its pending accounts; what has begun is left', async () => {
    const upload = await open();
    const { submissionId: id } = upload;
    await store(
      upload,
      ['N-1', 'N-2', 'N-3', 'N-4'].map((number, index) => accountLine(index + 1, number)),
    );
    await setStatus('N-1', 'IN_PROGRESS');
    await test.app.get(Database).transaction(async (executor) => submissions.abort(id, executor));
    const submission = (await submissions.find(undefined, id))!;
    expect(await test.app.get(AbortSubmission).cancelPending(submission, ACTOR, true)).toBe(3);
    expect((await submissions.count(id)).processes).toEqual({ IN_PROGRESS: 1, CANCELLED: 3 });
  });
});
