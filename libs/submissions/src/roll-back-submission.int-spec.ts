import { accountTables, AddNotes, RollOverStatementPeriods, WelcomeEmailRepository } from '@portage/accounts';
import { ImportAccounts, PayloadRetentionRepository, SteerImportProcesses } from '@portage/imports';
import { SearchAudit } from '@portage/operators';
import { Database } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import {
  eraseAccount,
  ImportedTestAccount,
  insertAccounts,
  insertProcesses,
  markedAccount,
  payment,
  refusedWith,
  scheduleAccount,
  TestSubmission,
  useApplication,
} from '@portage/testing/application';
import { type LeftAccount, RollBackSubmission, type RollbackTally } from './roll-back-submission';

/** More accounts than two batches hold. */
const LARGE = 450;

/** Every table whose rows belong to accounts. */
const TABLES = ['account', ...accountTables, 'account_request', 'idempotency_key'];

const test = useApplication('postgres', { OUTCOME_WAIT_MS: '2000' });

beforeAll(async () => {
  await test.app.get(ImportSuppliers).set('LEGACY', { sendMigrationEmails: true });
  // What was there before any submission.
  await ImportedTestAccount.create(test, 'BEFORE', customer('before@example.org'));
});

const customer = (email: string) => ({
  customers: [{ given_name: 'Ada', family_name: 'Byron', email, portfolio_roles: ['ADMIN'] }],
  notes: [{ body: 'Rang.', document_paths: [{ document_path: 'letter.pdf' }] }],
});

/** All rows of the tables of accounts, by table. */
async function snapshot(): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of TABLES) {
    const found = await test.sql<{ row: string }>(`SELECT row::text FROM "${table}" AS row ORDER BY 1`);
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}

interface Outcome extends RollbackTally {
  accounts: LeftAccount[];
}

async function rollBack(
  { id }: TestSubmission,
  { isDryRun = false, signal }: { isDryRun?: boolean; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const accounts: LeftAccount[] = [];
  const onBatch = (_considered: number, left: readonly LeftAccount[]) => {
    accounts.push(...left);
  };
  const tally = await test.app
    .get(RollBackSubmission)
    .rollBack(id, { isDryRun, onBatch, ...(signal && { signal }) });
  return { ...tally, accounts };
}

async function processOf(number: string) {
  const [row] = await test.sql<{
    id: string;
    status: string;
    version: number;
    account_number: string | null;
  }>(
    `SELECT id, status, version, account_number, account_created_at, is_released, latest_event
     FROM import_process WHERE external_account_number = $1`,
    [number],
  );
  return row!;
}

async function auditEntries(reference: string): Promise<unknown[]> {
  const { items } = await test.app.get(SearchAudit).search({ action: 'submission.rollback' }, { limit: 100 });
  return items.filter(({ subject }) => subject === reference).map(({ details }) => details);
}

describe('the rollback of a submission', () => {
  it('leaves every table of accounts as it was before the submission', async () => {
    const before = await snapshot();
    const submission = await TestSubmission.open(test, 'whole');
    const { import_supplier: _, external_account_number: __, ...whole } = markedAccount('W-1');
    await submission.account('W-1', whole);
    await submission.account('W-2', customer('before@example.org'));
    await submission.account('W-3');
    await submission.complete();
    const during = await snapshot();
    const same = TABLES.filter((table) => during[table]!.length === before[table]!.length);
    expect(same).toEqual(['account_request', 'idempotency_key']);
    expect(await rollBack(submission)).toMatchObject({ rolledBack: 3, left: {}, isComplete: true });
    expect(await snapshot()).toEqual(before);
    expect(await auditEntries('whole')).toEqual([{ submission: submission.id, rolled_back: 3, left: 0 }]);
    expect(await rollBack(submission)).toMatchObject({ rolledBack: 0, isComplete: true });
  });

  it('cancels the processes, so that the accounts can be sent again and late jobs do nothing', async () => {
    const submission = await TestSubmission.open(test, 'again');
    await submission.account('A-1', customer('a@example.org'));
    await submission.account('A-2');
    await submission.complete();
    await rollBack(submission);
    const process = await processOf('A-1');
    expect(process).toMatchObject({
      status: 'CANCELLED',
      version: 2,
      account_number: null,
      account_created_at: null,
      is_released: false,
      latest_event: 'CREATED',
    });
    const events = await test.sql(
      'SELECT event, version, attempt, actor FROM import_process_event WHERE process_id = $1 ORDER BY occurred_at, version',
      [process.id],
    );
    expect(events.at(-1)).toEqual({
      event: 'ROLLED_BACK',
      version: 2,
      attempt: 0,
      actor: expect.stringMatching(/^operator:/),
    });
    // It is as created when it was sent, not when it or the other one was imported.
    const shown = await test.sql(
      `SELECT latest_event_at = occurred_at AS is_as_sent FROM import_process process
       JOIN import_process_event ON process_id = process.id AND event = 'SCHEDULED' WHERE process.id = $1`,
      [process.id],
    );
    expect(shown).toEqual([{ is_as_sent: true }]);
    await test.app.get(ImportAccounts).import([{ processId: process.id, version: 1 }]);
    expect(await processOf('A-1')).toEqual(process);
    const again = { import_supplier: 'LEGACY', external_account_number: 'A-1', ...customer('a@example.org') };
    await scheduleAccount(test, test.caller, again);
    const { version } = await processOf('A-1');
    await test.app.get(ImportAccounts).import([{ processId: process.id, version }]);
    expect(await processOf('A-1')).toMatchObject({ status: 'PROCESSED', version: 3 });
    await test.app.get(SteerImportProcesses).steerOne('retry', 'LEGACY', 'A-2');
    expect(await processOf('A-2')).toMatchObject({ status: 'PENDING', version: 3 });
  });

  it('leaves accounts alone that something has touched since, and says why', async () => {
    const submission = await TestSubmission.open(test, 'touched');
    const numbers = ['none', 'note', 'transaction', 'pending', 'key', 'email', 'erased', 'instruction'];
    for (const number of numbers) await submission.account(`T-${number}`, customer(`${number}@example.org`));
    await submission.complete();
    const find = async (number: string) => ImportedTestAccount.find(test, `T-${number}`);
    const note = async (number: string, key?: string) =>
      test.app.get(AddNotes).add({
        ...test.caller,
        body: {
          import_supplier: 'LEGACY',
          external_account_number: `T-${number}`,
          notes: [{ body: `About ${number}.` }],
        },
        key,
      });
    await note('note');
    await (await find('transaction')).add([payment('P-1')]);
    // The request was finished and removed long ago.
    await test.sql('DELETE FROM account_request');
    await refusedWith((await find('pending')).send([payment('P-1')]));
    await note('key', 'KEY');
    await test.sql(`UPDATE note SET actor = NULL WHERE body = 'About key.'`);
    await test.app.get(WelcomeEmailRepository).settle((await find('email')).id, 'SENT', null);
    await eraseAccount(test, 'T-erased');
    await (
      await find('instruction')
    ).sql(
      `INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, details, actor)
       VALUES ($1, 'CARD', 'STRIPE', 'pm_touched', true, '{}', 'api-key:test')`,
    );
    const before = await snapshot();

    const dry = await rollBack(submission, { isDryRun: true });
    expect(await snapshot()).toEqual(before);
    expect(await auditEntries('touched')).toEqual([]);
    const { accounts, ...tally } = await rollBack(submission);
    expect(tally).toEqual({
      rolledBack: 1,
      left: { has_requests: 5, welcome_email_sent: 1, erased: 1 },
      isComplete: true,
    });
    expect(dry).toEqual({ ...tally, accounts });
    expect(
      Object.fromEntries(
        accounts.map(({ externalAccountNumber, reason }) => [externalAccountNumber, reason]),
      ),
    ).toEqual({
      'T-note': 'has_requests',
      'T-transaction': 'has_requests',
      'T-pending': 'has_requests',
      'T-key': 'has_requests',
      'T-email': 'welcome_email_sent',
      'T-erased': 'erased',
      'T-instruction': 'has_requests',
    });
    const left = await test.sql('SELECT 1 FROM account WHERE external_account_number LIKE $1', ['T-%']);
    expect(left).toHaveLength(7);
    const after = await snapshot();
    for (const table of TABLES) expect(before[table]).toEqual(expect.arrayContaining(after[table]!));
    expect(after['account']).toHaveLength(before['account']!.length - 1);
  });

  it('does not take the roll-over of statement periods and the inspection of documents for a request', async () => {
    const submission = await TestSubmission.open(test, 'periods');
    await submission.account('P-1', customer('p@example.org'));
    await submission.complete();
    const account = await ImportedTestAccount.find(test, 'P-1');
    await account.sql(`UPDATE document SET state = 'MISSING', inspected_at = now() WHERE account_id = $1`);
    await account.sql(
      `UPDATE statement_period SET start_date = current_date - 40, end_date = current_date - 5
       WHERE account_id = $1 AND closed_at IS NULL`,
    );
    expect(await test.app.get(RollOverStatementPeriods).run()).toBeGreaterThan(0);
    expect(await rollBack(submission)).toMatchObject({ rolledBack: 1, left: {} });
    expect(await account.sql('SELECT 1 FROM statement_period WHERE account_id = $1')).toEqual([]);
  });

  it('leaves a process whose payload was erased to be sent again, and not to be retried', async () => {
    const submission = await TestSubmission.open(test, 'payload');
    await submission.account('E-1');
    await submission.complete();
    await test.app
      .get(PayloadRetentionRepository)
      .erase(test.supplier.id, new Date(Date.now() + 60_000), 1_000);
    await rollBack(submission);
    const retry = test.app.get(SteerImportProcesses).steerOne('retry', 'LEGACY', 'E-1');
    await expect(retry).rejects.toThrow('was erased. Post the account again to import it.');
    const account = { import_supplier: 'LEGACY', external_account_number: 'E-1', nickname: 'Again' };
    await scheduleAccount(test, test.caller, account);
    const { id, version } = await processOf('E-1');
    await test.app.get(ImportAccounts).import([{ processId: id, version }]);
    expect(await processOf('E-1')).toMatchObject({ status: 'PROCESSED' });
  });

  it('waits for a request that is being processed, and then leaves its account alone', async () => {
    const submission = await TestSubmission.open(test, 'race');
    await submission.account('R-1');
    await submission.complete();
    const account = await ImportedTestAccount.find(test, 'R-1');
    let rollback: Promise<Outcome> | undefined;
    await test.app.get(Database).transaction(async (executor) => {
      const locked = { name: '', text: 'SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE' };
      await executor.run(locked, [account.id]);
      rollback = rollBack(submission);
      await test.untilWaiting(1, '%FROM "account"%FOR UPDATE');
      const add = {
        name: '',
        text: `INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths, actor)
          VALUES ($1, 'Meanwhile.', false, false, '{}', 'api-key:test')`,
      };
      await executor.run(add, [account.id]);
    });
    expect(await rollback).toMatchObject({ rolledBack: 0, left: { has_requests: 1 } });
    expect(await processOf('R-1')).toMatchObject({ status: 'PROCESSED' });
  });

  it('goes on where it was interrupted, one transaction and audit entry a batch', async () => {
    const before = await snapshot();
    const submission = await TestSubmission.open(test, 'large');
    await test.sql(
      `WITH process AS (
         ${insertProcesses(`generate_series(1, ${LARGE}) AS n`, {
           external_account_number: `'G-' || n`,
           status: `'PROCESSED'`,
           account_number: `'A-' || lpad(n::text, 8, 'f')`,
           submission_id: '$1',
         })} RETURNING *
       ), account AS (${insertAccounts('process', { number: 'account_number' })} RETURNING id)
       INSERT INTO customer (account_id, position, given_name, family_name, details)
       SELECT id, 0, 'A', 'B', '{}' FROM account`,
      [submission.id],
    );
    await submission.complete();
    expect(await test.app.get(RollBackSubmission).count(submission.id)).toBe(LARGE);
    const controller = new AbortController();
    const considered: number[] = [];
    const stopped = await test.app.get(RollBackSubmission).rollBack(submission.id, {
      isDryRun: false,
      signal: controller.signal,
      onBatch: (count) => {
        considered.push(count);
        controller.abort();
      },
    });
    expect([stopped, considered]).toEqual([
      { rolledBack: 200, left: {}, isComplete: false, last: expect.any(String) as string },
      [200],
    ]);
    expect(await rollBack(submission)).toMatchObject({ rolledBack: 250, isComplete: true });
    expect(await snapshot()).toEqual(before);
    expect(await auditEntries('large')).toMatchObject([
      { rolled_back: 50 },
      { rolled_back: 200 },
      { rolled_back: 200 },
    ]);
  });

  it('names an account whose row is missing', async () => {
    const submission = await TestSubmission.open(test, 'missing');
    await submission.account('M-1');
    await submission.complete();
    const account = await ImportedTestAccount.find(test, 'M-1');
    for (const table of ['statement_period', 'ledger', 'welcome_email'])
      await account.sql(`DELETE FROM ${table} WHERE account_id = $1`);
    await account.sql('DELETE FROM account WHERE id = $1');
    expect(await rollBack(submission)).toMatchObject({ left: { missing: 1 }, isComplete: true });
  });

  it('is refused while accounts can still arrive or have not ended', async () => {
    const submission = await TestSubmission.open(test, 'open');
    const pending = await submission.ended('O-1', 'PENDING');
    await expect(rollBack(submission)).rejects.toThrow(`submission abort ${submission.id}`);
    await submission.complete();
    await expect(rollBack(submission)).rejects.toThrow('1 accounts of the submission');
    await test.sql(`UPDATE import_process SET status = 'CANCELLED' WHERE id = $1`, [pending]);
    expect(await rollBack(submission)).toMatchObject({ rolledBack: 0, isComplete: true });
    await expect(test.app.get(RollBackSubmission).count('999999')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
