import { AccountRequestRepository, DocumentRepository, WelcomeEmailRepository } from '@portage/accounts';
import {
  AccountImportRepository,
  CorrectionRepository,
  ImportProcessSteeringRepository,
  StaleImportRepository,
} from '@portage/imports';
import type { Database } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { countRowsRead, insertAccounts, insertProcesses, useApplication } from '@portage/testing/application';
import { FindProcesses } from '../../libs/operators/src/console/find-processes';
import { PageReads } from '../../libs/operators/src/console/page-reads';
import { INSTRUCTIONS_SHARD } from '../../libs/submissions/src/additions/read-addition-line';
import { SubmissionAdditionRepository } from '../../libs/submissions/src/additions/submission-addition.repository';
import { SubmissionInstructionRepository } from '../../libs/submissions/src/additions/submission-instruction.repository';

/** Rows of each table in each of its states. */
const STORED = 5_000;

/** Rows that a statement is about. */
const BATCH = 10;

/** The ids of the first processes that were imported, that were not started within their window, and that have failed. */
const IMPORTED = 1;
const MISSED = STORED + 1;
const ERRORED = 2 * STORED + 1;

const ACCOUNTS_SUBMISSION = '1';
const ADDITIONS_SUBMISSION = '2';

const versions = (first: number, version = 1) =>
  Array.from({ length: BATCH }, (_, index) => ({ processId: String(first + index), version }));

/** The supplier of nearly all rows, and another one with {@link BATCH} documents. */
const LEGACY = 1;
const OTHER = 2;

const additions = (database: Database) => new SubmissionAdditionRepository(database);
const instructions = (database: Database) =>
  new SubmissionInstructionRepository(database, additions(database));
const requests = (database: Database) =>
  new AccountRequestRepository(database, undefined as never, undefined as never);
const search = (database: Database) => new FindProcesses(new PageReads(database, undefined as never));

/** A statement, the number of rows that it finds, and that of the rows that it reads: fewer than `limit`. */
type Cost = [
  title: string,
  found: number,
  limit: number,
  statement: (database: Database) => Promise<number | readonly unknown[]>,
];

const COSTS: Cost[] = [
  [
    'missed windows',
    BATCH,
    100,
    async (database) =>
      (await new AccountImportRepository(database).cancelMissed(versions(MISSED))).filter(Boolean),
  ],
  [
    'the reasons of failures',
    BATCH,
    50,
    async (database) =>
      (await new AccountImportRepository(database).findReasons(versions(ERRORED))).filter(({ code }) => code),
  ],
  [
    'repeated corrections',
    BATCH,
    100,
    async (database) =>
      (await new CorrectionRepository(database).read(versions(IMPORTED, 2), false)).filter(Boolean),
  ],
  [
    'cancelled corrections of a submission',
    BATCH,
    100,
    async (database) => new CorrectionRepository(database).cancel(ACCOUNTS_SUBMISSION, BATCH),
  ],
  [
    'a sweep of processes',
    BATCH,
    100,
    async (database) => new StaleImportRepository(database).take(1_000, BATCH),
  ],
  [
    'a sweep of corrections',
    BATCH,
    100,
    async (database) => new StaleImportRepository(database).takeCorrections(1_000, BATCH),
  ],
  ['a sweep of requests', BATCH, 100, async (database) => requests(database).takeStale(1_000, BATCH)],
  [
    'a sweep of documents',
    BATCH,
    100,
    async (database) => new DocumentRepository(undefined as never, database).takeStale(1_000, BATCH),
  ],
  [
    'a sweep of e-mails',
    BATCH,
    100,
    async (database) => new WelcomeEmailRepository(undefined as never, database).takeStale(1_000, BATCH),
  ],
  ['old requests', BATCH, 100, async (database) => requests(database).deleteFinished(1, BATCH)],
  [
    'the documents of a supplier that are retried',
    BATCH,
    50,
    async (database) =>
      new DocumentRepository(undefined as never, database).reopen(OTHER, ['MISSING', 'REFUSED'], '0', 500),
  ],
  [
    'processes with an error code that are steered',
    BATCH,
    100,
    async (database) =>
      new ImportProcessSteeringRepository(undefined as never, database).select(
        { from: ['ERRORED'] },
        { supplierId: LEGACY, errorCode: 'rare' },
        '0',
        500,
        database,
      ),
  ],
  [
    'the payment instructions that are with their vendor',
    BATCH,
    20,
    async (database) => instructions(database).inProgress(database, ADDITIONS_SUBMISSION),
  ],
  [
    'the payment instructions that wait for another attempt',
    1,
    20,
    async (database) =>
      instructions(database).waitingForRetry(
        database,
        ADDITIONS_SUBMISSION,
        [BATCH, BATCH + 1, STORED].map((n) => `N-${n}`),
      ),
  ],
  [
    'the next payment instructions',
    BATCH,
    100,
    async (database) =>
      additions(database).take(database, ADDITIONS_SUBMISSION, INSTRUCTIONS_SHARD, {
        lines: BATCH,
        characters: 1_000,
      }),
  ],
  ['a search by a number of a supplier', 1, 10, async (database) => search(database).find('N-7')],
  ['a search by a number of an account', 1, 10, async (database) => search(database).find('A-00000007')],
];

describe('the rows that are read where thousands are stored', () => {
  const test = useApplication('postgres');

  beforeAll(async () => {
    await test.app.get(ImportSuppliers).create('OTHER', 'Supplier Ltd', {});
    const hourAgo = `now() - interval '1 hour'`;
    const from = `generate_series(1, ${STORED}) AS n ORDER BY n`;
    await test.sql(`
      INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor, kind)
      VALUES (${LEGACY}, 'a', '', '{}', false, '', 'accounts'), (${LEGACY}, 'b', '', '{}', false, '', 'additions');
      INSERT INTO submission_upload (submission_id, number, actor) SELECT id, 1, '' FROM submission;
      ${insertProcesses(from, {
        status: `'PROCESSED'`,
        account_number: `'A-' || lpad(n::text, 8, '0')`,
        version: '2',
      })};
      ${insertProcesses(from, {
        external_account_number: `'M-' || n`,
        schedule_window_end: hourAgo,
        enqueued_at: hourAgo,
      })};
      ${insertProcesses(from, {
        external_account_number: `'E-' || n`,
        status: `'ERRORED'`,
        error_code: `CASE WHEN n <= ${BATCH} THEN 'rare' ELSE 'frequent' END`,
      })};
      ${insertAccounts(`import_process WHERE status = 'PROCESSED' ORDER BY id`, { number: 'account_number' })};
      INSERT INTO import_process_correction (process_id, version, supplier_id, submission_id, is_dry_run, payload,
        payload_hash, change_count, actor, enqueued_at)
      SELECT process_id, 2, supplier_id, ${ACCOUNTS_SUBMISSION}, false, '{}', '', 0, '', ${hourAgo} FROM account;
      INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, actor, input, enqueued_at)
      SELECT 1, id, 'transactions', '', '', '{}', ${hourAgo} FROM account;
      INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, actor, status, outcome, finished_at)
      SELECT 1, id, 'transactions', '', '', 'DONE', '{}', now() - interval '2 hours' FROM account;
      INSERT INTO document (account_id, path, kind, enqueued_at) SELECT id, 'new', 'note', ${hourAgo} FROM account;
      INSERT INTO document (account_id, path, kind, state, error_code, unsettled_supplier_id)
      SELECT id, state, 'note', state, 'a_code', CASE WHEN id <= ${BATCH / 2} THEN ${OTHER} ELSE ${LEGACY} END
      FROM account, unnest(ARRAY['MISSING', 'REFUSED']) AS state;
      INSERT INTO welcome_email (account_id, recipient, subject, body, enqueued_at)
      SELECT id, '', '', '', ${hourAgo} FROM account;
      INSERT INTO submission_addition (submission_id, upload_number, line, supplier_id, shard, kind,
        external_account_number, digest, status, input, size, measures, request_id, attempt, due_at)
      SELECT ${ADDITIONS_SUBMISSION}, 1, n, ${LEGACY}, ${INSTRUCTIONS_SHARD}, 'payment_instruction', 'N-' || n,
        sha256(n::text::bytea), CASE WHEN n <= ${BATCH} THEN 'IN_PROGRESS' ELSE 'PENDING' END, '{}', 2, '{}',
        CASE WHEN n <= ${BATCH} THEN n END, CASE WHEN n <= ${2 * BATCH} THEN 1 ELSE 0 END,
        now() + CASE WHEN n <= ${2 * BATCH} THEN interval '1 minute' ELSE interval '0' END
      FROM generate_series(1, ${STORED}) AS n`);
  });

  describe.each(['before', 'after'])('%s an ANALYZE', (when) => {
    beforeAll(async () => {
      if (when === 'after') await test.sql('ANALYZE');
    });

    it.each(COSTS)('are few for %s', async (_title, found, limit, statement) => {
      let result: number | readonly unknown[] = [];
      const read = await countRowsRead(test, async (database) => {
        result = await statement(database);
      });
      expect(typeof result === 'number' ? result : (result as unknown[]).length).toBe(found);
      expect(read).toBeLessThan(limit);
    });
  });
});
