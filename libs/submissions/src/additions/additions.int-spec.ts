import { randomBytes } from 'node:crypto';
import { AccountRequestRepository } from '@portage/accounts';
import { CorrectAccount, TakeBackAccount } from '@portage/imports';
import { Database } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  bodyOf,
  eraseAccount,
  importPending,
  openSubmission,
  refusedWith,
  uploadAccounts,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { AbortSubmission } from '../abort-submission';
import { CompleteSubmission } from '../complete-submission';
import { ReceiveAccounts } from '../receive-accounts';
import { ReconcileSubmission } from '../reconcile-submission';
import { RollBackSubmission } from '../roll-back-submission';
import { SubmissionResults } from '../submission-results';
import { Submissions } from '../submissions';
import type { AdditionMeasureValues } from './addition-measures';
import { PerformAdditions } from './perform-additions';
import { ReceiveAdditions } from './receive-additions';
import { SubmissionAdditionRepository } from './submission-addition.repository';

describe('a submission of additions', () => {
  const test = useApplication('postgres', {}, WITHOUT_CACHES);
  let accounts = 0;

  const of = (number: string, more: object) => ({
    import_supplier: 'LEGACY',
    external_account_number: number,
    ...more,
  });
  const notes = (number: string, ...bodies: string[]) => ({
    notes: of(number, { notes: bodies.map((body) => ({ body })) }),
  });
  const charge = (id: string, amount: string | number = '12.50', more: object = {}) => ({
    transaction_id: id,
    transaction_date: new Date().toISOString().slice(0, 10),
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    amount,
    ...more,
  });
  const transactions = (number: string, ...list: object[]) => ({
    transactions: of(number, { transactions: list }),
  });
  const statement = (number: string, id: string, gross = 1250) => ({
    historical_statements: of(number, {
      statements: [
        {
          statement_id: id,
          bill_period_from_date: '2025-12-01',
          bill_period_to_date: '2025-12-31',
          gross_amount: gross,
        },
      ],
    }),
  });

  async function importNumbers(...numbers: string[]): Promise<void> {
    const lines = numbers.map((number) => account(number));
    await uploadAccounts(test, await openSubmission(test), lines);
    await importPending(test);
  }

  /** Imported accounts. */
  async function imported(count: number): Promise<string[]> {
    const numbers = Array.from({ length: count }, () => `N-${(accounts += 1)}`);
    await importNumbers(...numbers);
    return numbers;
  }

  const open = async (more: object = {}) => openSubmission(test, { kind: 'additions', ...more });
  const upload = async (id: string, lines: readonly (object | string)[]) =>
    test.app.get(ReceiveAdditions).receive(test.caller, id, bodyOf(lines));

  /** Performs everything that waits and needs no vendor, as the jobs do. */
  async function work(id: string): Promise<void> {
    for (const shard of [0, 1, 2, 3])
      await test.app.get(PerformAdditions).perform({ submissionId: id, shard });
  }

  async function send(lines: readonly (object | string)[], more: object = {}): Promise<string> {
    const id = await open(more);
    await upload(id, lines);
    await work(id);
    await test.app.get(CompleteSubmission).complete(test.caller, id);
    return id;
  }

  async function results(id: string) {
    const found: object[] = [];
    for await (const chunk of await test.app.get(SubmissionResults).stream(id, undefined))
      for (const { line, kind, outcome, addition, errors } of chunk)
        found.push({
          line,
          kind,
          outcome,
          ...(addition && { addition }),
          ...(errors[0] && { code: errors[0].code, attr: errors[0].attr }),
        });
    return found;
  }
  const viewOf = async (id: string) => test.app.get(Submissions).read(test.organisationId, id);
  const reconciled = async (id: string) => test.app.get(ReconcileSubmission).reconcile(id);
  const bodies = async (number: string) =>
    (
      await test.sql<{ body: string }>(
        `SELECT body FROM note JOIN account ON account.id = account_id WHERE external_account_number = $1 AND actor IS NOT NULL ORDER BY note.id`,
        [number],
      )
    ).map(({ body }) => body);
  const balance = async (number: string) =>
    (
      await test.sql<{ balance: string; sum: string }>(
        `SELECT sum(balance)::text AS balance FROM ledger JOIN account ON account.id = account_id WHERE external_account_number = $1`,
        [number],
      )
    )[0]!.balance;

  it('adds each line once, and is reconciled by what it has added', async () => {
    const [one, two] = (await imported(2)) as [string, string];
    const before = Number(await balance(one));
    const lines = [
      notes(one, 'Rang', 'Wrote'),
      transactions(one, charge('T-1'), charge('T-2', 0.5)),
      notes(two, 'Rang'),
      statement(two, 'S-1'),
    ];
    const id = await send(lines, {
      expected: {
        lines: 4,
        notes: 3,
        charges: 2,
        charge_total: '13.00',
        statements: 1,
        statement_total: 1250,
      },
    });
    expect(await results(id)).toEqual([
      {
        line: 1,
        kind: 'notes',
        outcome: 'processed',
        addition: { added: 2, existing: 0, different: 0, moved: 0 },
      },
      {
        line: 2,
        kind: 'transactions',
        outcome: 'processed',
        addition: { added: 2, existing: 0, different: 0, moved: 0 },
      },
      {
        line: 3,
        kind: 'notes',
        outcome: 'processed',
        addition: { added: 1, existing: 0, different: 0, moved: 0 },
      },
      {
        line: 4,
        kind: 'historical_statements',
        outcome: 'processed',
        addition: { added: 1, existing: 0, different: 0, moved: 0 },
      },
    ]);
    expect(Number(await balance(one))).toBeCloseTo(before - 13, 2);
    expect(await viewOf(id)).toMatchObject({
      kind: 'additions',
      status: 'FINISHED',
      counts: { received: 4, processed: 4, refused: 0, pending: 0 },
    });
    expect(await reconciled(id)).toMatchObject({
      reconciled: true,
      measures: expect.arrayContaining([
        expect.objectContaining({
          measure: 'charge_total',
          expected: '13.00',
          imported: '13.00',
          currency: 'GBP',
        }),
        expect.objectContaining({ measure: 'statement_total', imported: 1250, unit: 'minor' }),
      ]) as unknown[],
    });
  });

  it('repeats lines of an upload that is sent again, and leaves what the account has', async () => {
    const [number] = (await imported(1)) as [string];
    const lines = [notes(number, 'A'), transactions(number, charge('T-1'))];
    const id = await open();
    expect(await upload(id, lines)).toMatchObject({ lines: 2, accepted: 2, repeated: 0 });
    expect(await upload(id, [...lines, notes(number, 'B'), notes(number, 'B')])).toMatchObject({
      lines: 4,
      accepted: 1,
      repeated: 3,
    });
    await work(id);
    expect(await bodies(number)).toEqual(['A', 'B']);
    const again = await send([...lines, transactions(number, charge('T-1', '99.00'))]);
    expect(await results(again)).toMatchObject([
      { outcome: 'unchanged', addition: { added: 0, existing: 1 } },
      { outcome: 'unchanged', addition: { added: 0, existing: 1, different: 0 } },
      { outcome: 'unchanged', addition: { added: 0, existing: 1, different: 1 } },
    ]);
    expect(await reconciled(again)).toMatchObject({ reconciled: true });
  });

  it('refuses lines with the errors of their endpoints, at paths that begin with the kind', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await open();
    expect(
      await upload(id, [
        notes(number, 'Good'),
        { notes: of(number, { notes: [{ created_at: '2026-01-01T00:00:00Z' }] }) },
        transactions(number, charge('T-1', '1.234')),
        { notes: {}, transactions: {} },
        { ...notes(number, 'C'), check_previously_added: true },
        { notes: { import_supplier: 'OTHER', external_account_number: number, notes: [] } },
        'not json',
      ]),
    ).toMatchObject({ lines: 7, accepted: 1, refused: 6 });
    await work(id);
    expect(await results(id)).toEqual([
      {
        line: 1,
        kind: 'notes',
        outcome: 'processed',
        addition: { added: 1, existing: 0, different: 0, moved: 0 },
      },
      {
        line: 2,
        kind: 'notes',
        outcome: 'refused',
        code: 'note_body_or_document_path_not_found',
        attr: 'notes.notes.0.body',
      },
      {
        line: 3,
        kind: 'transactions',
        outcome: 'refused',
        code: expect.any(String) as string,
        attr: 'transactions.transactions.0.amount',
      },
      { line: 4, kind: null, outcome: 'refused', code: 'addition_unknown', attr: null },
      {
        line: 5,
        kind: 'notes',
        outcome: 'refused',
        code: 'misplaced_parameter',
        attr: 'check_previously_added',
      },
      { line: 6, kind: 'notes', outcome: 'refused', code: 'invalid_choice', attr: 'notes.import_supplier' },
      { line: 7, kind: null, outcome: 'refused', code: 'line_not_json', attr: null },
    ]);
  });

  it('keeps the order of an account, and goes on after a line that fails', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await send([
      statement(number, 'S-1'),
      statement(number, 'S-1', 9999),
      notes(number, 'First'),
      notes('unknown', 'Nobody'),
      notes(number, 'Second'),
    ]);
    expect(await results(id)).toMatchObject([
      { outcome: 'processed' },
      { outcome: 'errored', code: 'historical_statement_already_exists' },
      { outcome: 'processed' },
      { outcome: 'errored', code: 'account_not_found' },
      { outcome: 'processed' },
    ]);
    expect(await bodies(number)).toEqual(['First', 'Second']);
    expect(await viewOf(id)).toMatchObject({ counts: { received: 5, processed: 3, errored: 2 } });
  });

  it('performs an errored line that is sent again while the submission is open', async () => {
    const id = await open();
    await upload(id, [notes('late-1', 'A')]);
    await work(id);
    expect(await results(id)).toMatchObject([{ outcome: 'errored', code: 'account_not_found' }]);
    await uploadAccounts(test, await openSubmission(test), [account('late-1')]);
    await importPending(test);
    expect(await upload(id, [notes('late-1', 'A')])).toMatchObject({ accepted: 1, repeated: 0 });
    await work(id);
    expect(await results(id)).toMatchObject([{ outcome: 'processed' }]);
  });

  it('rehearses every line and changes nothing', async () => {
    const [number] = (await imported(1)) as [string];
    const before = await balance(number);
    const id = await send([notes(number, 'A'), transactions(number, charge('T-1')), notes('unknown', 'B')], {
      task_params: { is_dry_run: true },
    });
    expect(await results(id)).toMatchObject([
      { outcome: 'dry_run_succeeded', addition: { added: 1 } },
      { outcome: 'dry_run_succeeded', addition: { added: 1 } },
      { outcome: 'dry_run_errored', code: 'account_not_found' },
    ]);
    expect(await bodies(number)).toEqual([]);
    expect(await balance(number)).toBe(before);
    expect(await reconciled(id)).toMatchObject({ is_dry_run: true, dry_run_succeeded: 2 });
  });

  it('waits while its own supplier is paused', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    await suppliers.create('SECOND', 'Supplier Ltd', {});
    const [number] = (await imported(1)) as [string];
    const id = await open();
    await upload(id, [notes(number, 'A')]);
    const later = await open({ import_supplier: 'SECOND' });
    await upload(later, [{ notes: { ...notes(number, 'B').notes, import_supplier: 'SECOND' } }]);
    const stale = async (afterMs = -1_000, rows = 100, submission = id) => {
      const shards = await test.app.get(SubmissionAdditionRepository).stale(afterMs, rows);
      return shards.flatMap(({ submissionId, supplier }) => (submissionId === submission ? [supplier] : []));
    };
    expect(await stale()).toEqual(['LEGACY']);
    expect([await stale(60_000), await stale(-1_000, 0)]).toEqual([[], []]);
    await suppliers.setStatus('LEGACY', 'Paused');
    await work(id);
    expect(await bodies(number)).toEqual([]);
    expect(await stale()).toEqual([]);
    // What it holds is older, and takes no place of another supplier.
    expect(await stale(-1_000, 1, later)).toEqual(['SECOND']);
    expect(await refusedWith(upload(id, [notes(number, 'B')]))).toBe('import_supplier_migration_not_ongoing');
    await suppliers.setStatus('LEGACY', 'Ongoing');
    await work(id);
    expect(await bodies(number)).toEqual(['A']);
    expect(await stale()).toEqual([]);
  });

  it('is aborted with what has not begun', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await open();
    await upload(id, [notes(number, 'A'), notes(number, 'B')]);
    expect(await test.app.get(AbortSubmission).abort(test.caller, id)).toMatchObject({
      cancelled: 2,
      submission: { status: 'ABORTED', counts: { cancelled: 2 } },
    });
    await work(id);
    expect(await bodies(number)).toEqual([]);
    expect(await results(id)).toMatchObject([
      { outcome: 'cancelled', code: 'import_cancelled' },
      { outcome: 'cancelled' },
    ]);
  });

  it('leaves what has ended when it is aborted', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await open();
    await upload(id, [notes(number, 'A')]);
    await work(id);
    await upload(id, [notes(number, 'B')]);
    const other = await open();
    await upload(other, [notes(number, 'C'), notes(number, 'D')]);
    expect(await test.app.get(AbortSubmission).abort(test.caller, id)).toMatchObject({ cancelled: 1 });
    expect(await results(id)).toMatchObject([{ outcome: 'processed' }, { outcome: 'cancelled' }]);
    const error = { code: 'import_cancelled', detail: 'Words.', attr: null };
    expect(await test.app.get(SubmissionAdditionRepository).cancel(other, 1, error)).toBe(1);
    await work(other);
    expect(await bodies(number)).toHaveLength(2);
  });

  it('performs each line of several uploads once, for who has sent it, and counts it for its own upload', async () => {
    const [number] = (await imported(1)) as [string];
    const [id, other] = [await open(), await open()];
    await upload(id, [notes(number, 'A')]);
    await upload(other, [notes(number, 'D'), notes(number, 'D')]);
    const colleague = { ...test.caller, actor: 'api-key:colleague' };
    await test.app
      .get(ReceiveAdditions)
      .receive(colleague, id, bodyOf([notes(number, 'B'), notes(number, 'C'), notes(number, 'C')]));
    await work(id);
    expect(await bodies(number)).toEqual(['A', 'B', 'C']);
    const actors = await test.sql<{ actor: string }>(
      `SELECT actor FROM note JOIN account ON account.id = account_id
       WHERE external_account_number = $1 AND actor IS NOT NULL ORDER BY body`,
      [number],
    );
    expect(actors.map(({ actor }) => actor)).toEqual([test.caller.actor, colleague.actor, colleague.actor]);
    const counted = await test.sql<{ lines: number }>(
      `SELECT lines::int AS lines FROM submission_upload WHERE submission_id = ANY($1) ORDER BY submission_id, number`,
      [[id, other]],
    );
    expect(counted.map(({ lines }) => lines)).toEqual([1, 3, 2]);
  });

  it('stores nothing once an abort has begun', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await open();
    await upload(id, [notes(number, 'A')]);
    const line = {
      line: 2,
      shard: 0,
      kind: 'notes' as const,
      externalAccountNumber: number,
      digest: randomBytes(32),
      input: '{}',
      measures: {} as AdditionMeasureValues,
      errors: null,
    };
    const storing = await test.app.get(Database).transaction(async ({ manager }) => {
      await manager.query(`UPDATE submission SET status = 'ABORTED' WHERE id = $1`, [id]);
      const additions = test.app.get(SubmissionAdditionRepository);
      const stored = additions.store({ submissionId: id, number: 1 }, [line], 0);
      await test.untilWaiting();
      return [stored];
    });
    expect(await Promise.all(storing)).toEqual([{ isOpen: false, shards: [] }]);
  });

  it('takes nothing that is cancelled meanwhile', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await open();
    await upload(id, [notes(number, 'A'), notes(number, 'B')]);
    const [cancelled, left] = await test.sql<{ id: string; shard: number }>(
      'SELECT id, shard FROM submission_addition WHERE submission_id = $1 ORDER BY id',
      [id],
    );
    const taking = await test.app.get(Database).transaction(async (executor) => {
      await executor.manager.query(
        `UPDATE submission_addition SET status = 'CANCELLED', input = NULL, ended_at = now() WHERE id = $1`,
        [cancelled!.id],
      );
      const additions = test.app.get(SubmissionAdditionRepository);
      const limits = { lines: 10, characters: 10_000 };
      const taken = additions.take(test.app.get(Database), id, left!.shard, limits);
      await test.untilWaiting();
      return [taken];
    });
    const [taken] = await Promise.all(taking);
    expect(taken!.map((one) => one.id)).toEqual([left!.id]);
  });

  it('takes the first due lines of its shard that fit, and one at least', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await open();
    await upload(id, [notes(number, 'A'), notes(number, 'B'), notes(number, 'C')]);
    const stored = await test.sql<{ id: string; shard: number; size: number }>(
      'SELECT id, shard, size FROM submission_addition WHERE submission_id = $1 ORDER BY id',
      [id],
    );
    const { shard, size } = stored[0]!;
    const taken = async (lines: number, characters: number, of = shard) => {
      const limits = { lines, characters };
      const additions = test.app.get(SubmissionAdditionRepository);
      return (await additions.take(test.app.get(Database), id, of, limits)).length;
    };
    expect([await taken(2, 10_000), await taken(10, 1)]).toEqual([2, 1]);
    expect([await taken(10, size), await taken(10, size + 1)]).toEqual([1, 2]);
    expect(await taken(10, 10_000, shard + 1)).toBe(0);
    await test.sql(`UPDATE submission_addition SET due_at = now() + interval '1 hour' WHERE id = $1`, [
      stored[0]!.id,
    ]);
    expect(await taken(10, 10_000)).toBe(2);
  });

  it('erases what waits of an erased account', async () => {
    const [number] = (await imported(1)) as [string];
    const id = await open();
    await upload(id, [notes(number, 'Secret of the account')]);
    await eraseAccount(test, number);
    await work(id);
    expect(await results(id)).toMatchObject([{ outcome: 'cancelled', code: 'erased' }]);
    expect(await test.sql(`SELECT id FROM submission_addition WHERE input::text LIKE '%Secret%'`)).toEqual(
      [],
    );
  });

  it('goes on beside corrections and take-backs of the accounts', async () => {
    const id = await open();
    await importNumbers('M-1', 'M-2');
    await upload(id, [notes('M-1', 'A'), notes('M-2', 'B')]);
    await test.app.get(CorrectAccount).correct(test.caller, 'LEGACY', 'M-1', {
      body: { ...account('M-1'), customers: [{ family_name: 'Reed' }] },
      ifMatch: undefined,
    });
    await test.app.get(TakeBackAccount).takeBack(test.caller, 'LEGACY', 'M-2');
    await Promise.all([work(id), importPending(test)]);
    expect(await results(id)).toMatchObject([
      { outcome: 'processed' },
      { outcome: 'errored', code: 'account_not_found' },
    ]);
    expect(await bodies('M-1')).toEqual(['A']);
  });

  it('moves transactions into the open statement period, or refuses them where they must not be moved', async () => {
    const [number] = (await imported(1)) as [string];
    const before = Number(await balance(number));
    const early = { transaction_date: '2024-06-15' };
    const id = await send([
      transactions(number, charge('T-1', '2.00', early), charge('T-2', '1.00')),
      { ...transactions(number, charge('T-3', '4.00', early)), force_add_to_current_statement: false },
      transactions(number, charge('T-4', '8.00')),
    ]);
    expect(await results(id)).toMatchObject([
      { outcome: 'processed', addition: { added: 2, moved: 1 } },
      { outcome: 'errored', attr: expect.stringContaining('transactions.transactions.0') as string },
      { outcome: 'processed', addition: { added: 1, moved: 0 } },
    ]);
    expect(Number(await balance(number))).toBeCloseTo(before - 11, 2);
    const [moved] = await test.sql<{ original: string; adjustment: string | null }>(
      `SELECT original_date::text AS original, adjustment FROM transaction
       JOIN account ON account.id = account_id WHERE external_account_number = $1 AND transaction_id = 'T-1'`,
      [number],
    );
    expect(moved).toMatchObject({ original: '2024-06-15', adjustment: expect.any(String) as string });
  });

  it('adds a transaction under the same id again where the line says so', async () => {
    const [number] = (await imported(1)) as [string];
    const before = Number(await balance(number));
    const again = { ...transactions(number, charge('T-1', '2.00')), check_previously_added: false };
    const id = await send([transactions(number, charge('T-1', '1.00')), again]);
    expect(await results(id)).toMatchObject([
      { addition: { added: 1, existing: 0 } },
      { addition: { added: 1, existing: 0 } },
    ]);
    expect(Number(await balance(number))).toBeCloseTo(before - 3, 2);
  });

  it('adds each transaction once of two books about the same accounts that are performed at once', async () => {
    const numbers = await imported(6);
    const before = await Promise.all(numbers.map(balance));
    const lines = (amount: string) =>
      numbers.map((number) => transactions(number, charge('T-1', amount), charge(`T-${amount}`, amount)));
    const [one, two] = [await open(), await open()];
    await Promise.all([upload(one, lines('1.00')), upload(two, lines('2.00'))]);
    await Promise.all([work(one), work(two), work(one), work(two)]);
    for (const [index, number] of numbers.entries()) {
      const rows = await test.sql<{ id: string; amount: string }>(
        `SELECT transaction_id AS id, amount FROM transaction JOIN account ON account.id = account_id
         WHERE external_account_number = $1 AND actor IS NOT NULL ORDER BY 1`,
        [number],
      );
      expect(rows.map(({ id }) => id)).toEqual(['T-1', 'T-1.00', 'T-2.00']);
      const sum = rows.reduce((total, { amount }) => total + Number(amount), 0);
      expect(Number(await balance(number))).toBeCloseTo(Number(before[index]) - sum, 2);
    }
    const outcomes = [...(await results(one)), ...(await results(two))] as {
      addition: { added: number; different: number };
    }[];
    const sumOf = (name: 'added' | 'different') =>
      outcomes.reduce((total, { addition }) => total + addition[name], 0);
    expect([sumOf('added'), sumOf('different')]).toEqual([18, 6]);
  });

  it('finds no account that was rolled back meanwhile, and keeps one that it has added to from a rollback', async () => {
    const first = await openSubmission(test);
    await uploadAccounts(test, first, [account('B-1'), account('B-2')]);
    await importPending(test);
    await test.app.get(CompleteSubmission).complete(test.caller, first);
    await send([transactions('B-1', charge('T-1'))]);
    const id = await open();
    await upload(id, [transactions('B-1', charge('T-2')), transactions('B-2', charge('T-2'))]);
    expect(await test.app.get(RollBackSubmission).rollBack(first, { isDryRun: false })).toMatchObject({
      rolledBack: 1,
      left: { has_requests: 1 },
    });
    await work(id);
    expect(await results(id)).toMatchObject([
      { outcome: 'processed' },
      { outcome: 'errored', code: 'account_not_found' },
    ]);
  });

  it('adds each line once if its jobs run beside each other and are repeated', async () => {
    const numbers = await imported(8);
    const id = await open();
    const lines = numbers.flatMap((number) =>
      Array.from({ length: 20 }, (_, nth) => transactions(number, charge(`T-${nth}`, '1.00'))),
    );
    await upload(id, lines);
    await Promise.all(Array.from({ length: 4 }, async () => work(id)));
    await work(id);
    for (const number of numbers) {
      const rows = await test.sql<{ id: string }>(
        `SELECT transaction_id AS id FROM transaction JOIN account ON account.id = account_id
         WHERE external_account_number = $1 AND actor IS NOT NULL ORDER BY transaction.id`,
        [number],
      );
      expect(rows.map((row) => row.id)).toEqual(Array.from({ length: 20 }, (_, nth) => `T-${nth}`));
    }
    expect(await viewOf(id)).toMatchObject({ counts: { processed: 160 } });
  });

  it('performs all lines but those that the database refuses, also if jobs run beside each other', async () => {
    const [good, ...numbers] = (await imported(4)) as [string, ...string[]];
    const id = await open();
    const bodiesOf = (number: string) => (number === good ? ['A', 'C'] : ['B1', 'A', 'B2', 'C']);
    const lines = [good, ...numbers].flatMap((number) =>
      bodiesOf(number).map((body) => [number, body] as const),
    );
    await upload(
      id,
      lines.map(([number, body]) => notes(number, body)),
    );
    await test.sql(`CREATE FUNCTION refuse_b() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.body LIKE 'B%' THEN RAISE EXCEPTION 'refused' USING ERRCODE = 'check_violation'; END IF; RETURN NEW; END $$`);
    await test.sql('CREATE TRIGGER refuse_b BEFORE INSERT ON note FOR EACH ROW EXECUTE FUNCTION refuse_b()');
    await Promise.all(Array.from({ length: 4 }, async () => work(id)));
    await work(id);
    await test.sql('DROP TRIGGER refuse_b ON note');
    expect(await results(id)).toMatchObject(
      lines.map(([, body]) =>
        body.startsWith('B') ? { outcome: 'errored', code: 'error' } : { outcome: 'processed' },
      ),
    );
    for (const number of [good, ...numbers]) expect(await bodies(number)).toEqual(['A', 'C']);
  });

  it('does not wait for an account that another transaction has locked, but for the account alone', async () => {
    const numbers = await imported(3);
    const id = await open();
    await upload(
      id,
      numbers.map((number) => notes(number, 'A')),
    );
    let working: Promise<void> | undefined;
    await test.app.get(Database).transaction(async (executor) => {
      await executor.run(
        { name: 'lock-one', text: `SELECT id FROM account WHERE external_account_number = $1 FOR UPDATE` },
        [numbers[0]],
      );
      working = work(id);
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await working;
    for (const number of numbers) expect(await bodies(number)).toEqual(['A']);
  });

  it('has the payment instructions of an account verified one after the other, and those of others beside it', async () => {
    const [one, two] = (await imported(2)) as [string, string];
    const instruction = (number: string, reference: string) => ({
      payment_instruction: of(number, { vendor: 'STRIPE', type: 'CARD', reference }),
    });
    const id = await open();
    await upload(id, [instruction(one, 'pm_1'), instruction(one, 'pm_2'), instruction(two, 'pm_3')]);
    const requests = async () =>
      test.sql<{ id: string; reference: string }>(
        `SELECT id, input ->> 'reference' AS reference FROM account_request WHERE status = 'PENDING' ORDER BY id`,
      );
    const answer = async (reference: string, outcome: object) => {
      const request = (await requests()).find((each) => each.reference === reference)!;
      await test.app
        .get(AccountRequestRepository)
        .finish(test.app.get(Database), [{ id: request.id, outcome, retainIdempotencyKey: false }]);
      await test.app.get(PerformAdditions).conclude({ submissionId: id, requestId: request.id });
    };
    await test.app.get(PerformAdditions).perform({ submissionId: id, shard: 4 });
    expect((await requests()).map(({ reference }) => reference)).toEqual(['pm_1', 'pm_3']);
    expect(await viewOf(id)).toMatchObject({ counts: { in_progress: 2, pending: 1 } });
    await answer('pm_3', { kind: 'refused', code: 'instruction_expired' });
    // Its vendor was unavailable: it is tried again later, and the next one of its account waits for it.
    await answer('pm_1', { kind: 'unavailable', code: 'vendor_timeout' });
    expect(await requests()).toEqual([]);
    await test.sql(`UPDATE submission_addition SET due_at = now() WHERE submission_id = $1`, [id]);
    await test.app.get(PerformAdditions).perform({ submissionId: id, shard: 4 });
    await answer('pm_1', { kind: 'stored' });
    await answer('pm_2', { kind: 'stored' });
    await test.app.get(CompleteSubmission).complete(test.caller, id);
    expect(await results(id)).toMatchObject([
      { outcome: 'processed' },
      { outcome: 'processed' },
      { outcome: 'errored', code: 'instruction_expired' },
    ]);
    expect(await viewOf(id)).toMatchObject({ status: 'FINISHED', counts: { processed: 2, errored: 1 } });
  });

  it('has the next payment instructions started once by all that end meanwhile', async () => {
    const numbers = await imported(4);
    const id = await open();
    await upload(
      id,
      [...numbers, ...numbers].map((number, nth) => ({
        payment_instruction: of(number, { vendor: 'STRIPE', type: 'CARD', reference: `pm_${nth}` }),
      })),
    );
    const lock = jest.spyOn(test.app.get(SubmissionAdditionRepository), 'lock');
    const start = async () => test.app.get(PerformAdditions).perform({ submissionId: id, shard: 4 });
    await Promise.all(Array.from({ length: 8 }, start));
    expect(lock).toHaveBeenCalledTimes(2);
    expect(await viewOf(id)).toMatchObject({ counts: { in_progress: 4, pending: 4 } });
    lock.mockRestore();
  });

  it('says what has no effect in it, and which upload it takes', async () => {
    expect(await refusedWith(open({ expected: { accounts: 3 }, mode: 'correct' }))).toEqual([
      'expected.accounts invalid_choice',
      'mode invalid_choice',
    ]);
    const id = await open();
    expect(
      await refusedWith(test.app.get(ReceiveAccounts).receive(test.caller, id, bodyOf([account('X-1')]))),
    ).toBe('submission_of_other_kind');
  });
});
