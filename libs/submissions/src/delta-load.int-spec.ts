import { AddNotes } from '@portage/accounts';
import { CorrectAccount, TakeBackAccount } from '@portage/imports';
import { ImportSuppliers } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  eraseAccount,
  importPending,
  openSubmission,
  uploadAccounts,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { AbortSubmission } from './abort-submission';
import { CompleteSubmission } from './complete-submission';
import { ReconcileSubmission } from './reconcile-submission';
import type { MeasureTotals } from './reconciliation';
import { RollBackSubmission } from './roll-back-submission';
import type { SubmissionMode } from './submission';
import { SubmissionResults } from './submission-results';
import { Submissions } from './submissions';
import { SubmissionReconciliationRepository } from './submission-reconciliation.repository';

describe('a book that is sent again', () => {
  const test = useApplication('postgres', {}, WITHOUT_CACHES);

  /** A line of a book. `balance` is that of the account. */
  const line = (number: string, name = 'Aldous', balance = '5.00') =>
    JSON.stringify({
      ...account(number),
      customers: [{ given_name: 'Maeve', family_name: name }],
      last_statement_balance: balance,
      transfer_balance: balance,
    });

  const open = async (mode: SubmissionMode, more: object = {}) => openSubmission(test, { mode, ...more });

  /** Sends a book to its end. */
  async function send(mode: SubmissionMode, lines: readonly string[], more: object = {}): Promise<string> {
    const id = await open(mode, more);
    await uploadAccounts(test, id, lines);
    await importPending(test);
    await test.app.get(CompleteSubmission).complete(test.caller, id);
    return id;
  }

  const viewOf = async (id: string) => test.app.get(Submissions).read(test.organisationId, id);
  const reconciled = async (id: string) => test.app.get(ReconcileSubmission).reconcile(id);

  async function outcomes(id: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for await (const chunk of await test.app.get(SubmissionResults).stream(id, undefined))
      for (const { external_account_number: number, outcome, errors } of chunk)
        found[number ?? ''] = errors[0] ? `${outcome}: ${errors[0].code}` : outcome;
    return found;
  }

  it('creates, corrects and leaves accounts, and is reconciled as a whole', async () => {
    await send('create', [line('D-1'), line('D-2'), line('D-3')]);
    const id = await send(
      'create-or-correct',
      [line('D-1'), line('D-2', 'Reed'), line('D-3', 'Aldous', '7.50'), line('D-4')],
      { expected: { accounts: 4, opening_balance: '22.50' } },
    );
    expect(await outcomes(id)).toEqual({
      'D-1': 'unchanged',
      'D-2': 'corrected',
      'D-3': 'corrected',
      'D-4': 'processed',
    });
    const view = await viewOf(id);
    expect(view).toMatchObject({
      status: 'FINISHED',
      mode: 'create-or-correct',
      plan: null,
      counts: { received: 4, unchanged: 1, corrected: 2, processed: 1, refused: 0, correcting: 0 },
    });
    expect(await reconciled(id)).toMatchObject({
      reconciled: true,
      created: 1,
      corrected: 2,
      unchanged: 1,
      measures: expect.arrayContaining([
        expect.objectContaining({ measure: 'opening_balance', received: '22.50', imported: '22.50' }),
      ]) as unknown[],
    });
  });

  it.each([1, 2, 4, 10_000])('has the same sums in parts of %i lines', async (size) => {
    const before = ['1', '2', '3'].map((nth) => `${size}-${nth}`);
    await send(
      'create',
      [...before, `${size}-4`, `${size}-5`].map((number) => line(number)),
    );
    const id = await send('create-or-correct', [
      ...before.map((number) => line(number)),
      line(`${size}-4`, 'Reed'),
      line(`${size}-5`, 'Reed'),
      ...['6', '7', '8'].map((nth) => line(`${size}-${nth}`)),
      '{}',
    ]);
    const repository = test.app.get(SubmissionReconciliationRepository);
    const accountsOf = async (sums: AsyncIterable<{ totals: MeasureTotals }>) => {
      let accounts = 0n;
      for await (const { totals } of sums) accounts += totals.accounts;
      return accounts;
    };
    const found = await repository.inSnapshot(async (executor) => [
      await accountsOf(repository.sumLines(executor, id, size)),
      await accountsOf(repository.sumProcesses(executor, id, 'PROCESSED', size)),
      await accountsOf(repository.sumImported(executor, id, 'unchanged', size)),
      await accountsOf(repository.sumImported(executor, id, 'correction', size)),
    ]);
    expect(found).toEqual([9n, 3n, 3n, 2n]);
  });

  it('shows a plan, and changes nothing, in a rehearsal', async () => {
    await send('create', [line('P-1'), line('P-2')]);
    const id = await send(
      'create-or-correct',
      [line('P-1'), line('P-2', 'Reed'), line('P-3'), '{"external_account_number":"P-4"}'],
      { task_params: { is_dry_run: true } },
    );
    expect((await viewOf(id)).plan).toEqual({ would_create: 1, would_correct: 1, unchanged: 1, refused: 1 });
    expect(await outcomes(id)).toEqual({
      'P-1': 'unchanged',
      'P-2': 'would_correct',
      'P-3': 'dry_run_succeeded',
      'P-4': 'refused: required',
    });
    const [customer] = await test.sql(
      `SELECT family_name FROM customer JOIN account ON account.id = account_id WHERE external_account_number = 'P-2'`,
    );
    expect(customer).toEqual({ family_name: 'Aldous' });
    const results = [];
    for await (const chunk of await test.app.get(SubmissionResults).stream(id, ['would_correct']))
      results.push(...chunk);
    expect(results).toMatchObject([
      { changes: [{ path: 'customers.0.family_name', from: 'Aldous', to: 'Reed' }], change_count: 1 },
    ]);
    // What would be imported is what was received and not refused.
    expect(await reconciled(id)).toMatchObject({ reconciled: true, unchanged: 1 });
  });

  it('refuses what its mode does not allow', async () => {
    await send('create', [line('M-1'), line('M-2')]);
    expect(await outcomes(await send('create', [line('M-1'), line('M-2', 'Reed')]))).toEqual({
      'M-1': 'unchanged',
      'M-2': 'refused: account_import_process_already_imported',
    });
    expect(await outcomes(await send('correct', [line('M-1'), line('M-2', 'Reed'), line('M-3')]))).toEqual({
      'M-1': 'unchanged',
      'M-2': 'corrected',
      'M-3': 'refused: account_not_imported',
    });
    await test.app.get(TakeBackAccount).takeBack(test.caller, 'LEGACY', 'M-1');
    expect(await outcomes(await send('correct', [line('M-1')]))).toEqual({
      'M-1': 'refused: account_not_imported',
    });
  });

  it('is the same when it is sent twice, in one submission or in another', async () => {
    await send('create', [line('T-1'), line('T-2')]);
    const book = [line('T-1', 'Reed'), line('T-2')];
    const id = await open('create-or-correct');
    expect(await uploadAccounts(test, id, book)).toMatchObject({ lines: 2, corrections: 1, unchanged: 1 });
    expect(await uploadAccounts(test, id, book)).toMatchObject({ lines: 2, repeated: 1, unchanged: 1 });
    await importPending(test);
    expect(await uploadAccounts(test, id, book)).toMatchObject({ lines: 2, unchanged: 2 });
    expect((await viewOf(id)).counts).toMatchObject({ received: 2, corrected: 1, unchanged: 1 });
    await test.app.get(CompleteSubmission).complete(test.caller, id);
    expect(await reconciled(id)).toMatchObject({ reconciled: true, corrected: 1, unchanged: 1 });
    const again = await send('create-or-correct', book);
    expect((await viewOf(again)).counts).toMatchObject({ received: 2, unchanged: 2 });
    expect(await reconciled(again)).toMatchObject({ reconciled: true, unchanged: 2 });
  });

  it('is stored whole, with nonsense in it and two lines about an account that wait for each other', async () => {
    const numbers = Array.from({ length: 200 }, (_, nth) => `W-${nth}`);
    const book = numbers.map((number) => line(number));
    await send('create', book);
    const [, ...unchanged] = book;
    const id = await open('create-or-correct');
    // More than are validated at once, and fewer than are stored together.
    const sent = [
      line('W-0', 'Reed'),
      ...unchanged,
      '{"external_account_number": ',
      book[0]!,
      line('W-1', 'Reed'),
    ];
    expect(await uploadAccounts(test, id, sent)).toMatchObject({
      lines: 203,
      corrections: 2,
      unchanged: 200,
      refused: 1,
    });
    await importPending(test);
    const found = await outcomes(id);
    expect(Object.values(found).filter((outcome) => outcome === 'unchanged')).toHaveLength(198);
    expect(found).toMatchObject({ 'W-0': 'corrected', 'W-1': 'corrected', '': 'refused: line_not_json' });
  });

  it('counts an account of an earlier book that was corrected since as it was sent', async () => {
    const first = await send('create', [line('E-1'), line('E-2')], {
      expected: { opening_balance: '10.00' },
    });
    await send('correct', [line('E-2', 'Aldous', '9.00')]);
    expect(await reconciled(first)).toMatchObject({ reconciled: true, created: 1, corrected_since: 1 });
  });

  it('leaves to other submissions their corrections of an account, and keeps those of other accounts', async () => {
    await send('create', [line('K-1'), line('K-2')]);
    const earlier = await send('create-or-correct', [line('K-1', 'Second')]);
    const id = await open('create-or-correct');
    for (const number of ['K-1', 'K-2']) {
      await uploadAccounts(test, id, [line(number, 'Third')]);
      await importPending(test);
    }
    const countOf = async (submission: string) =>
      test.countRows('import_process_correction WHERE submission_id = $1', [submission]);
    expect([await countOf(earlier), await countOf(id)]).toEqual([1, 2]);
  });

  it('has the outcome of a correction that is refused, and is not reconciled by it', async () => {
    await send('create', [line('R-1')]);
    await test.sql(`UPDATE import_supplier SET status = 'Ongoing'`);
    const id = await open('correct');
    await uploadAccounts(test, id, [line('R-1', 'Reed')]);
    await test.sql(
      `UPDATE import_process_correction SET payload = jsonb_set(payload::jsonb, '{customers}', '[{"email": 5}]')::json,
         context_digest = NULL WHERE submission_id = $1`,
      [id],
    );
    await importPending(test);
    await test.app.get(CompleteSubmission).complete(test.caller, id);
    expect((await outcomes(id))['R-1']).toMatch(/^correction_errored: /);
    expect((await viewOf(id)).counts).toMatchObject({ received: 1, correction_errored: 1 });
    expect(await reconciled(id)).toMatchObject({ reconciled: false });
  });

  it('brings an erased account back only by another submission, and if the operator allows it', async () => {
    const first = await open('create');
    const book = [line('X-1'), line('X-2')];
    await uploadAccounts(test, first, book);
    await importPending(test);
    await eraseAccount(test, 'X-2');
    expect(await outcomes(await send('create-or-correct', book))).toEqual({
      'X-1': 'unchanged',
      'X-2': 'refused: account_erased',
    });
    await test.app.get(ImportSuppliers).set('LEGACY', { reimportAfterErasure: true });
    expect(await uploadAccounts(test, first, book)).toMatchObject({ repeated: 1, refused: 1 });
    await test.app.get(CompleteSubmission).complete(test.caller, first);
    expect(await outcomes(await send('correct', [line('X-2')]))).toEqual({
      'X-2': 'refused: account_erased',
    });
    const id = await send('create-or-correct', book);
    expect(await outcomes(id)).toEqual({ 'X-1': 'unchanged', 'X-2': 'processed' });
    expect(await reconciled(id)).toMatchObject({ reconciled: true, created: 1, unchanged: 1 });
    // The submission that had imported the erased account has it as before.
    expect(await reconciled(first)).toMatchObject({ reconciled: true, erased: 1 });
    await test.app.get(ImportSuppliers).set('LEGACY', { reimportAfterErasure: false });
  });

  it('cancels its corrections when it is aborted', async () => {
    await send('create', [line('A-1')]);
    const id = await open('correct');
    await uploadAccounts(test, id, [line('A-1', 'Reed')]);
    expect((await viewOf(id)).counts).toMatchObject({ correcting: 1 });
    expect(await test.app.get(AbortSubmission).abort(test.caller, id)).toMatchObject({ cancelled: 1 });
    expect(await viewOf(id)).toMatchObject({ status: 'ABORTED', counts: { cancelled: 1, correcting: 0 } });
    await importPending(test);
    expect(await outcomes(id)).toEqual({ 'A-1': 'cancelled' });
  });

  it('leaves accounts alone in a rollback that another submission has corrected', async () => {
    const first = await send('create', [line('B-1'), line('B-2')]);
    await send('correct', [line('B-2', 'Reed')]);
    expect(await test.app.get(RollBackSubmission).rollBack(first, { isDryRun: false })).toMatchObject({
      rolledBack: 1,
      left: { corrected: 1 },
    });
  });

  it('leaves an account alone in a rollback that another submission is correcting, and corrects it', async () => {
    const first = await send('create', [line('Q-1'), line('Q-2')]);
    const second = await open('correct');
    await uploadAccounts(test, second, [line('Q-2', 'Reed')]);
    expect(await test.app.get(RollBackSubmission).rollBack(first, { isDryRun: false })).toMatchObject({
      rolledBack: 1,
      left: { corrected: 1 },
    });
    await importPending(test);
    expect(await outcomes(second)).toEqual({ 'Q-2': 'corrected' });
  });

  it('is corrected or rolled back as a whole, if both happen at once', async () => {
    const numbers = Array.from({ length: 8 }, (_, nth) => `C-${nth}`);
    const first = await send(
      'create',
      numbers.map((number) => line(number)),
    );
    const second = await open('correct');
    const [rollback] = await Promise.all([
      test.app.get(RollBackSubmission).rollBack(first, { isDryRun: false }),
      uploadAccounts(
        test,
        second,
        numbers.map((number) => line(number, 'Reed')),
      ),
    ]);
    await importPending(test);
    const { corrected = 0 } = rollback.left;
    expect(rollback.rolledBack + corrected).toBe(numbers.length);
    const stored = await test.sql<{ name: string }>(
      `SELECT family_name AS name FROM customer JOIN account ON account.id = account_id
       WHERE external_account_number = ANY($1)`,
      [numbers],
    );
    expect(stored).toEqual(Array.from({ length: corrected }, () => ({ name: 'Reed' })));
    for (const [number, outcome] of Object.entries(await outcomes(second)))
      expect([number, outcome]).toEqual([number, expect.stringMatching(/^corrected$|account_not_imported/)]);
  });

  it('has unchanged accounts as imported ones in every submission, row and reconciliation of the mode create', async () => {
    const book = [line('U-1'), line('U-2')];
    await send('create', book);
    const expected = { accounts: 2, opening_balance: '10.00' };
    for (const more of [{ expected }, { expected, task_params: { is_dry_run: true } }]) {
      const id = await send('create', book, more);
      expect(await outcomes(id)).toEqual({ 'U-1': 'unchanged', 'U-2': 'unchanged' });
      expect((await viewOf(id)).counts).toMatchObject({ received: 2, unchanged: 2, refused: 0 });
      expect(await reconciled(id)).toMatchObject({ reconciled: true, unchanged: 2 });
    }
  });

  it('counts an account that was taken back since as taken back', async () => {
    await send('create', [line('K-1'), line('K-2')]);
    const id = await send('create-or-correct', [line('K-1'), line('K-2', 'Reed')]);
    await test.app.get(TakeBackAccount).takeBack(test.caller, 'LEGACY', 'K-1');
    expect(await reconciled(id)).toMatchObject({
      reconciled: true,
      taken_back: 1,
      corrected: 1,
      unchanged: 0,
    });
  });

  it('keeps what was added, and its own control totals, after a correction of one account by itself', async () => {
    const first = await send('create', [line('S-1')]);
    await test.app.get(AddNotes).add({
      ...test.caller,
      body: { import_supplier: 'LEGACY', external_account_number: 'S-1', notes: [{ body: 'Rang.' }] },
    });
    await test.app.get(CorrectAccount).correct(test.caller, 'LEGACY', 'S-1', {
      body: JSON.parse(line('S-1', 'Reed')) as Record<string, unknown>,
      ifMatch: undefined,
    });
    await importPending(test);
    expect(await reconciled(first)).toMatchObject({ reconciled: true, corrected_since: 1 });
    const id = await send('create-or-correct', [line('S-1', 'Reed')]);
    expect(await outcomes(id)).toEqual({ 'S-1': 'unchanged' });
  });

  it('has no schedule window, because corrections begin at once', async () => {
    const start = new Date(Date.now() + 3_600_000).toISOString();
    await expect(
      open('create-or-correct', { task_params: { schedule_window_start: start } }),
    ).rejects.toMatchObject({ code: 'validation_error', members: { errors: [{ attr: 'task_params' }] } });
  });
});
