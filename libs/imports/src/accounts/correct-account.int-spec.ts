import { randomBytes } from 'node:crypto';
import {
  AccountCorrectionRepository,
  AccountFollowUps,
  AccountRequestRepository,
  AddHistoricalStatements,
  AddNotes,
  PaymentVendors,
  VerifyPaymentInstruction,
} from '@portage/accounts';
import { Database } from '@portage/platform';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  eraseAccount,
  ImportedTestAccount,
  processesOf,
  supplyCharge,
  TestSubmission,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { AccountRemovalRepository } from './account-removal.repository';
import { TakeBackAccount } from './take-back-account';
import { ImportAccounts } from './import-accounts';
import type { ImportOutcome } from './import-outcomes';
import { PayloadRetentionRepository } from '../processes/payload-retention.repository';
import { StaleImportRepository } from '../processes/stale-import.repository';
import { ImportStatus } from '../processes/import-status';
import { formatPayloadDigest } from './account-body';
import { type AcceptedCorrection, CorrectAccount } from './correct-account';
import { CorrectionRepository } from './correction.repository';
import { EraseAccount } from '@portage/submissions';

/** An account with one ledger, of which a part can be replaced. */
const body = (number: string, more: object = {}) => ({
  ...account(number),
  customers: [{ given_name: 'Maeve', family_name: 'Aldous', email: 'maeve@example.org' }],
  ledgers: [
    {
      ledger_code: 'MAIN',
      ledger_balance: '-10.00',
      current_statement_transactions: [
        {
          transaction_id: 'T-1',
          type: 'CHARGE',
          amount: '10.00',
          transaction_date: '2026-11-01',
          reason: 'IMPORTED_CHARGE',
        },
      ],
    },
  ],
  transfer_balance: '-10.00',
  ...more,
});

/** A transaction that is added after the import. */
const PAYMENT = {
  transaction_id: 'T-2',
  type: 'PAYMENT',
  amount: '4.00',
  transaction_date: '2026-11-20',
  ledger_code: 'MAIN',
};

describe('the correction of an account', () => {
  const test = useApplication('postgres', {}, WITHOUT_CACHES);
  afterEach(() => {
    jest.restoreAllMocks();
  });
  let next = 0;
  const newNumber = () => `C-${(next += 1)}`;

  const imported = async (number: string, more: object = {}) =>
    ImportedTestAccount.create(test, number, body(number, more));

  const correct = async (
    number: string,
    more: object = {},
    { ifMatch, taskParams }: { ifMatch?: string; taskParams?: object } = {},
  ): Promise<AcceptedCorrection> =>
    test.app.get(CorrectAccount).correct(test.caller, 'LEGACY', number, {
      body: { payload: JSON.parse(JSON.stringify(body(number, more))), task_params: taskParams ?? {} },
      ifMatch,
    });

  /** Runs the job of a version, which is that of the pending correction unless it is named. */
  async function perform(
    number: string,
    isFirstRun = true,
    version?: number,
  ): Promise<ImportOutcome | undefined> {
    const [job] = await test.sql<{ processId: string; version: number }>(
      `SELECT id AS "processId", coalesce($2, version) AS version FROM import_process
       WHERE external_account_number = $1`,
      [number, version ?? null],
    );
    return (await test.app.get(ImportAccounts).import([job!], { isFirstRun }))[0];
  }

  const setProcess = async (number: string, change: string) =>
    test.sql(`UPDATE import_process SET ${change} WHERE external_account_number = $1`, [number]);

  /** The last correction of an account. */
  const correctionOf = async (number: string) =>
    (
      await test.sql(
        `SELECT correction.status, changes, payload FROM import_process_correction correction
         JOIN import_process ON id = process_id WHERE external_account_number = $1 ORDER BY correction.version DESC LIMIT 1`,
        [number],
      )
    )[0];

  const lastEventOf = async (number: string) =>
    (
      await test.sql<{ event: string }>(
        `SELECT event FROM import_process_event JOIN import_process process ON process.id = process_id
         WHERE external_account_number = $1 ORDER BY occurred_at DESC LIMIT 1`,
        [number],
      )
    )[0]?.event;

  const statusOf = async (number: string) =>
    (await test.app.get(ImportStatus).readV2(test.organisationId, 'LEGACY', number)).view;

  const RENAMED = {
    customers: [{ given_name: 'Maeve', family_name: 'Reed', email: 'maeve@example.org' }],
  };

  it('changes what differs, and leaves the rest untouched', async () => {
    const number = newNumber();
    const stored = await imported(number);
    const [before] = await stored.sql<{ id: string }>('SELECT id FROM transaction WHERE account_id = $1');
    const { view, isScheduled } = await correct(number, RENAMED);
    expect(isScheduled).toBe(true);
    expect(view).toEqual({
      version: 2,
      changes: [{ path: 'customers.0.family_name', from: 'Aldous', to: 'Reed' }],
      change_count: 1,
    });
    expect(await statusOf(number)).toMatchObject({ status: 'PROCESSED', correction: { status: 'PENDING' } });
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.sql('SELECT family_name FROM customer WHERE account_id = $1')).toEqual([
      { family_name: 'Reed' },
    ]);
    expect(await stored.sql('SELECT id FROM transaction WHERE account_id = $1')).toEqual([before]);
    expect(await statusOf(number)).toMatchObject({
      status: 'PROCESSED',
      correction: { version: 2, status: 'SUCCEEDED', error: null },
    });
    expect(await perform(number)).toMatchObject({ kind: 'outdated' });
  });

  it('answers the same correction again while it is pending, and changes nothing once it is done', async () => {
    const number = newNumber();
    await imported(number);
    const first = await correct(number, RENAMED);
    expect(await correct(number, RENAMED)).toEqual(first);
    await perform(number);
    expect(await correct(number, RENAMED)).toMatchObject({
      isScheduled: false,
      view: { version: 2, changes: [], change_count: 0 },
    });
  });

  it('refuses another correction while one is pending', async () => {
    const number = newNumber();
    await imported(number);
    await correct(number, RENAMED);
    await expect(correct(number, { customers: [] })).rejects.toMatchObject({
      code: 'import_process_in_progress',
    });
  });

  it('stores one of two corrections that are sent at once', async () => {
    const number = newNumber();
    await imported(number);
    const named = (name: string) => ({ customers: [{ given_name: 'Maeve', family_name: name }] });
    const results = await Promise.allSettled([correct(number, named('One')), correct(number, named('Two'))]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'import_process_in_progress' },
    });
  });

  it('corrects only the account that If-Match names', async () => {
    const number = newNumber();
    await imported(number);
    const [row] = await test.sql<{ digest: string }>(
      `SELECT encode(payload_digest, 'base64') AS digest FROM import_process WHERE external_account_number = $1`,
      [number],
    );
    const wrong = formatPayloadDigest(Buffer.alloc(32).toString('base64'));
    await expect(correct(number, RENAMED, { ifMatch: wrong })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await correct(number, RENAMED, { ifMatch: formatPayloadDigest(row!.digest) });
    expect(await perform(number)).toEqual({ kind: 'corrected' });
  });

  it('rehearses a correction without a change', async () => {
    const number = newNumber();
    const stored = await imported(number);
    const { view } = await correct(number, RENAMED, { taskParams: { is_dry_run: true } });
    expect(view.change_count).toBe(1);
    expect(await perform(number)).toEqual({ kind: 'dry-run-succeeded' });
    expect(await lastEventOf(number)).toBe('CORRECTION_REHEARSED');
    expect(await stored.sql('SELECT family_name FROM customer WHERE account_id = $1')).toEqual([
      { family_name: 'Aldous' },
    ]);
    expect(await statusOf(number)).toMatchObject({ correction: { status: 'SUCCEEDED', is_dry_run: true } });
  });

  it('keeps what was added since the import, in the balance too', async () => {
    const number = newNumber();
    const stored = await imported(number);
    await stored.add([PAYMENT]);
    await test.app.get(AddNotes).add({
      ...test.caller,
      body: {
        import_supplier: 'LEGACY',
        external_account_number: number,
        notes: [{ body: 'Called on Monday.' }],
      },
    });
    const ledger = {
      ledger_code: 'MAIN',
      ledger_balance: '-25.00',
      current_statement_transactions: [
        {
          transaction_id: 'T-1',
          type: 'CHARGE',
          amount: '25.00',
          transaction_date: '2026-11-01',
          reason: 'IMPORTED_CHARGE',
        },
      ],
    };
    await correct(number, { ledgers: [ledger], transfer_balance: '-25.00' });
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.sql('SELECT balance FROM ledger WHERE account_id = $1')).toEqual([
      { balance: '-21.00' },
    ]);
    expect(
      await stored.sql('SELECT transaction_id, amount FROM transaction WHERE account_id = $1 ORDER BY 1'),
    ).toEqual([
      { transaction_id: 'T-1', amount: '25.00' },
      { transaction_id: 'T-2', amount: '4.00' },
    ]);
    expect(await stored.sql(`SELECT body FROM note WHERE account_id = $1 AND body LIKE 'Called%'`)).toEqual([
      { body: 'Called on Monday.' },
    ]);
  });

  it('keeps what was added in its own ledger alone, and drops a ledger without additions', async () => {
    const number = newNumber();
    const ledger = (code: string, balance: string) => ({
      ledger_code: code,
      ledger_balance: balance,
      last_statement_balance: balance,
    });
    const main = ledger('MAIN', '-10.00');
    const ledgers = (...list: object[]) => ({ ledgers: list });
    await imported(newNumber(), { ...ledgers(ledger('THIRD', '0.00')), transfer_balance: '0.00' });
    const stored = await imported(number, {
      ...ledgers(main, ledger('SIDE', '-3.00')),
      transfer_balance: '-13.00',
    });
    await stored.add([PAYMENT]);
    await correct(number, { ...ledgers(main, ledger('SIDE', '-5.00')), transfer_balance: '-15.00' });
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.balances()).toEqual(['-6.00', '-5.00']);
    await correct(number, { ...ledgers(main), transfer_balance: '-10.00' });
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.balances()).toEqual(['-6.00']);
    await correct(number, { ...ledgers(ledger('THIRD', '-1.00'), main), transfer_balance: '-11.00' });
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.balances()).toEqual(['-6.00', '-1.00']);
  });

  it('leaves the account as it was if a ledger with additions is left out', async () => {
    const number = newNumber();
    const stored = await imported(number);
    await stored.add([PAYMENT]);
    const other = {
      ...RENAMED,
      ledgers: [{ ledger_code: 'OTHER', ledger_balance: '0.00' }],
      transfer_balance: '0.00',
    };
    await correct(number, other, { taskParams: { is_dry_run: true } });
    expect(await perform(number)).toMatchObject({ code: 'ledger_has_additions' });
    expect(await lastEventOf(number)).toBe('CORRECTION_REHEARSAL_ERRORED');
    await correct(number, other);
    expect(await perform(number)).toEqual({ kind: 'errored', code: 'ledger_has_additions' });
    expect(await lastEventOf(number)).toBe('CORRECTION_ERRORED');
    expect(await statusOf(number)).toMatchObject({
      status: 'PROCESSED',
      correction: { status: 'ERRORED', error: { code: 'ledger_has_additions' } },
    });
    expect(await stored.sql('SELECT family_name FROM customer WHERE account_id = $1')).toEqual([
      { family_name: 'Aldous' },
    ]);
  });

  it('is refused for an account that is not imported, of another number, or of a supplier without corrections', async () => {
    const number = newNumber();
    await expect(correct(number)).rejects.toMatchObject({ code: 'not_found' });
    await imported(number);
    await expect(correct(number, { external_account_number: 'Other' })).rejects.toMatchObject({
      code: 'account_failed_validation',
      members: { errors: [{ attr: 'external_account_number' }] },
    });
    await test.app.get(ImportSuppliers).set('LEGACY', { corrections: false });
    await expect(correct(number, RENAMED)).rejects.toMatchObject({ code: 'corrections_not_allowed' });
    await test.app.get(ImportSuppliers).set('LEGACY', { corrections: true });
  });

  it('waits while the supplier is paused', async () => {
    const number = newNumber();
    await imported(number);
    await correct(number, RENAMED);
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Paused');
    expect(await perform(number)).toMatchObject({ kind: 'outdated' });
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
    expect(await perform(number, false)).toEqual({ kind: 'corrected' });
  });

  it('ends as it was cancelled if the account is erased before it is performed', async () => {
    const number = newNumber();
    await imported(number);
    await correct(number, RENAMED);
    await eraseAccount(test, number);
    expect(await perform(number)).toMatchObject({ kind: 'outdated' });
    expect(await correctionOf(number)).toEqual({ status: 'CANCELLED', changes: null, payload: null });
    await expect(correct(number, RENAMED)).rejects.toMatchObject({ code: 'account_erased' });
  });

  it('leaves nothing behind if the account is erased while it is performed', async () => {
    for (let round = 0; round < 8; round += 1) {
      const number = newNumber();
      const stored = await imported(number);
      await correct(number, RENAMED);
      const [account] = await stored.sql<{ number: string }>('SELECT number FROM account WHERE id = $1');
      const [outcome] = await Promise.all([
        perform(number),
        test.app.get(EraseAccount).erase(account!.number, { keepsDocuments: true }),
      ]);
      expect(['corrected', 'outdated']).toContain(outcome?.kind);
      expect(await stored.sql('SELECT FROM customer WHERE account_id = $1')).toEqual([]);
      expect(await correctionOf(number)).toEqual({
        status: outcome?.kind === 'corrected' ? 'SUCCEEDED' : 'CANCELLED',
        changes: null,
        payload: null,
      });
      const payloads = await test.sql(
        `SELECT FROM import_process_payload JOIN import_process ON id = process_id WHERE external_account_number = $1`,
        [number],
      );
      expect(payloads).toEqual([]);
    }
  });

  it('leaves nothing behind if the account is erased while it is accepted', async () => {
    const number = newNumber();
    const stored = await imported(number);
    const [account] = await stored.sql<{ number: string }>('SELECT number FROM account WHERE id = $1');
    const [process] = await processesOf(test, number);
    let erasing: Promise<unknown> | undefined;
    await test.app.get(Database).transaction(async (executor) => {
      const hash = randomBytes(32);
      const correction = {
        process: process!,
        isDryRun: false,
        payloadHash: hash,
        payloadDigest: hash,
        payload: JSON.stringify(body(number, RENAMED)),
        contextDigest: null,
        actor: 'api-key:test',
        submissionId: null,
        changes: [{ path: 'customers.0.family_name', from: 'Aldous', to: 'Reed' }],
        count: 1,
      };
      await test.app.get(CorrectionRepository).write([correction], null, executor);
      erasing = test.app.get(EraseAccount).erase(account!.number, { keepsDocuments: true });
      await test.untilWaiting();
    });
    await erasing;
    expect(await correctionOf(number)).toEqual({ status: 'CANCELLED', changes: null, payload: null });
  });

  it('is performed while a payment instruction of the account is verified, which is stored all the same', async () => {
    const number = newNumber();
    const reference = `pm_${number}`;
    const instruction = { type: 'CARD', vendor: 'STRIPE', reference, instruction_identifier: 'card-1' };
    const stored = await imported(number, { payment_instructions: [instruction] });
    const input = { vendor: 'STRIPE', reference, type: 'CARD', ledgerCode: '', ledgerCodes: [''], terms: {} };
    const request = await test.app.get(AccountRequestRepository).submit({
      organisationId: test.organisationId,
      accountId: stored.id,
      kind: 'payment-instruction',
      fingerprint: randomBytes(32),
      idempotencyKey: undefined,
      actor: 'api-key:test',
      input: JSON.stringify(input),
    });
    if (typeof request !== 'object') throw new Error('The request was not stored.');
    jest.spyOn(test.app.get(PaymentVendors), 'verify').mockImplementationOnce(async () => {
      await correct(number, { payment_instructions: [instruction], ...RENAMED });
      expect(await perform(number)).toEqual({ kind: 'corrected' });
      const verified = { vendor: 'STRIPE', type: 'CARD', reference, details: {} } as const;
      return { outcome: 'verified', instruction: verified };
    });
    expect(await test.app.get(VerifyPaymentInstruction).run(request.id, true)).toMatchObject({
      kind: 'stored',
    });
    const active = async () =>
      stored.sql('SELECT reference FROM payment_instruction WHERE account_id = $1 AND is_active');
    expect(await active()).toEqual([{ reference }]);
    // From now on a correction does not change it.
    await correct(number, {
      payment_instructions: [{ ...instruction, reference: `${reference}_2` }],
      ...RENAMED,
    });
    expect(await perform(number)).toEqual({ kind: 'errored', code: 'payment_instruction_verified' });
    expect(await active()).toEqual([{ reference }]);
  });

  it('changes an unverified payment instruction, whatever another account or slot has, and no verified one', async () => {
    const types = ['CARD', 'DIRECT_DEBIT'];
    const instruction = (type: string, reference: string, instruction_identifier = type) => ({
      type,
      vendor: type === 'CARD' ? 'STRIPE' : 'GOCARDLESS',
      reference,
      instruction_identifier,
    });
    // The second one of a slot is stored, and not active.
    const instructions = (prefix: string) => ({
      payment_instructions: [
        ...types.map((type) => instruction(type, `${prefix}-${type}`)),
        instruction('CARD', `${prefix}-SECOND`, 'SECOND'),
      ],
    });
    const [number, other] = [newNumber(), newNumber()];
    const stored = await imported(number, instructions(number));
    const added = await imported(other, instructions(other));
    await added.sql(`UPDATE payment_instruction SET actor = 'api-key:test' WHERE account_id = $1`);
    const active = async () =>
      (
        await stored.sql<{ reference: string }>(
          'SELECT reference FROM payment_instruction WHERE account_id = $1 AND is_active ORDER BY 1',
        )
      ).map(({ reference }) => reference);
    await correct(number, instructions(`${number}-2`));
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await active()).toEqual(types.map((type) => `${number}-2-${type}`));
    await stored.sql(
      `UPDATE payment_instruction SET verified_at = now() WHERE account_id = $1 AND type = 'CARD'`,
    );
    await correct(number, instructions(`${number}-3`));
    expect(await perform(number)).toEqual({ kind: 'errored', code: 'payment_instruction_verified' });
    expect(await active()).toEqual(types.map((type) => `${number}-2-${type}`));
  });

  it('gives an instruction up for the active one alone that a request has added to its slot', async () => {
    const number = newNumber();
    const card = (reference: string) => ({
      payment_instructions: [{ type: 'CARD', vendor: 'STRIPE', reference, instruction_identifier: 'card-1' }],
    });
    const stored = await imported(number, card(`${number}-1`));
    const add = async (type: string, ledgerCode: string, isActive: boolean) =>
      stored.sql(
        `INSERT INTO payment_instruction (account_id, type, vendor, reference, ledger_code, is_active, details, actor)
         VALUES ($1, $2, 'STRIPE', 'pm_added', $3, $4, '{}', 'api-key:test')`,
        [type, ledgerCode, isActive],
      );
    await add('CARD', '', false);
    await add('CARD', 'MAIN', true);
    await add('DIRECT_DEBIT', '', true);
    const isActive = async (reference: string) =>
      (
        await stored.sql<{ is_active: boolean }>(
          'SELECT is_active FROM payment_instruction WHERE account_id = $1 AND reference = $2',
          [reference],
        )
      )[0]?.is_active;
    await correct(number, card(`${number}-2`));
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await isActive(`${number}-2`)).toBe(true);
    await stored.sql(`UPDATE payment_instruction SET is_active = false WHERE account_id = $1`);
    await add('CARD', '', true);
    await correct(number, card(`${number}-3`));
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await isActive(`${number}-3`)).toBe(false);
  });

  it('replaces a ledger, a supply charge and documents that came with the import', async () => {
    const number = newNumber();
    const content = (code: string, first: string, last: string) => ({
      ledgers: [
        {
          ledger_code: code,
          ledger_balance: '-5.00',
          current_statement_transactions: [supplyCharge('S-1', `POINT-${number}`, first, last)],
        },
      ],
      transfer_balance: '-5.00',
      statements: [
        {
          statement_id: 'ST-1',
          bill_period_from_date: '2024-01-01',
          bill_period_to_date: '2024-01-31',
          statement_path: `${code}.pdf`,
        },
      ],
      notes: [{ body: code, document_paths: [{ document_path: `note-${code}.pdf` }] }],
    });
    const stored = await imported(number, content('MAIN', '2024-06-01', '2024-06-10'));
    await correct(number, content('OTHER', '2024-06-05', '2024-06-14'));
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.sql('SELECT ledger_code FROM ledger WHERE account_id = $1')).toEqual([
      { ledger_code: 'OTHER' },
    ]);
    expect(
      await stored.sql('SELECT start_date::text AS start FROM charged_period WHERE account_id = $1'),
    ).toEqual([{ start: '2024-06-05' }]);
    expect(await stored.sql('SELECT path FROM document WHERE account_id = $1 ORDER BY path')).toEqual([
      { path: 'OTHER.pdf' },
      { path: 'note-OTHER.pdf' },
    ]);
  });

  it('keeps as many of equal rows as are sent', async () => {
    const number = newNumber();
    const notes = (count: number) => ({ notes: Array.from({ length: count }, () => ({ body: 'Rang.' })) });
    const stored = await imported(number, notes(2));
    for (const count of [1, 3]) {
      await correct(number, notes(count));
      expect(await perform(number)).toEqual({ kind: 'corrected' });
      expect(await stored.notes()).toHaveLength(count);
    }
  });

  it('keeps nothing of what was added to another account', async () => {
    const [other, number] = [newNumber(), newNumber()];
    const added = await imported(other);
    const charge = supplyCharge('S-1', `POINT-${other}`, '2024-06-01', '2024-06-10');
    await added.add([{ ...charge, transaction_date: '2026-11-20' }]);
    const of = { import_supplier: 'LEGACY', external_account_number: other };
    await test.app.get(AddNotes).add({
      ...test.caller,
      body: { ...of, notes: [{ body: 'Rang.', document_paths: [{ document_path: 'note.pdf' }] }] },
    });
    await test.app.get(AddHistoricalStatements).add({
      ...test.caller,
      body: {
        ...of,
        statements: [
          {
            statement_id: 'ST-1',
            bill_period_from_date: '2024-01-01',
            bill_period_to_date: '2024-01-31',
            statement_path: 'statement.pdf',
          },
          { statement_id: 'ST-2', bill_period_from_date: '2024-02-01', bill_period_to_date: '2024-02-29' },
        ],
      },
    });
    const documents = async () => added.sql('SELECT id FROM document WHERE account_id = $1 ORDER BY id');
    const before = await documents();
    expect(before).toHaveLength(2);
    await correct(other, RENAMED);
    expect(await perform(other)).toEqual({ kind: 'corrected' });
    expect(await documents()).toEqual(before);
    const stored = await imported(number);
    await correct(number, RENAMED);
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.balances()).toEqual(['-10.00']);
    for (const table of ['document', 'charged_period'])
      expect(await stored.sql(`SELECT FROM ${table} WHERE account_id = $1`)).toEqual([]);
  });

  it('gives each of two accounts in a batch its own rows and follow-ups, also where they swap their contents', async () => {
    const numbers = [newNumber(), newNumber()];
    const notes = (body: string) => ({
      notes: [{ body, document_paths: [{ document_path: `${body}.pdf` }] }],
    });
    const contents = ['left', 'right'];
    const stored = [];
    for (const [index, number] of numbers.entries())
      stored.push(await imported(number, notes(contents[index]!)));
    for (const [index, number] of numbers.entries()) await correct(number, notes(contents[1 - index]!));
    const enqueue = jest.spyOn(test.app.get(AccountFollowUps), 'enqueue');
    const jobs = await processesOf(test, ...numbers);
    expect(await test.app.get(ImportAccounts).import(jobs, { isFirstRun: true })).toEqual([
      { kind: 'corrected' },
      { kind: 'corrected' },
    ]);
    const followUps = enqueue.mock.calls.flatMap(([batch]) => batch);
    expect(followUps.map(({ account: one }) => one.documentIds.length)).toEqual([1, 1]);
    for (const [index, one] of stored.entries()) {
      const body = contents[1 - index]!;
      expect(await one.notes()).toMatchObject([{ body }]);
      expect(await one.sql('SELECT path FROM document WHERE account_id = $1')).toEqual([
        { path: `${body}.pdf` },
      ]);
    }
  });

  it('replaces the welcome e-mail of an account unless that one was sent', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    await suppliers.set('LEGACY', { sendMigrationEmails: true });
    try {
      const to = (email: string) => ({ customers: [{ family_name: 'Aldous', email }] });
      const [sent, waiting] = [newNumber(), newNumber()];
      for (const number of [sent, waiting]) await imported(number, to('old@example.org'));
      const emailOf = async (number: string) =>
        test.sql(
          `SELECT recipient, state FROM welcome_email JOIN account ON account.id = account_id
           WHERE external_account_number = $1`,
          [number],
        );
      await test.sql(
        `UPDATE welcome_email SET state = 'SENT', sent_at = now()
         WHERE account_id = (SELECT id FROM account WHERE external_account_number = $1)`,
        [sent],
      );
      for (const number of [sent, waiting]) {
        await correct(number, to('new@example.org'));
        expect(await perform(number)).toEqual({ kind: 'corrected' });
      }
      expect(await emailOf(sent)).toEqual([{ recipient: 'old@example.org', state: 'SENT' }]);
      expect(await emailOf(waiting)).toEqual([{ recipient: 'new@example.org', state: 'PENDING' }]);
      const enqueue = jest.spyOn(test.app.get(AccountFollowUps), 'enqueue');
      await correct(sent, to('newer@example.org'));
      await correct(waiting, to('newer@example.org'));
      await test.app.get(ImportAccounts).import(await processesOf(test, sent, waiting), { isFirstRun: true });
      const followUps = enqueue.mock.calls.flatMap(([batch]) => batch);
      expect(followUps.map(({ account: one }) => one.hasWelcomeEmail)).toEqual([false, true]);
    } finally {
      await suppliers.set('LEGACY', { sendMigrationEmails: false });
    }
  });

  it('has no values any more once the payload of the account has been erased by retention', async () => {
    const number = newNumber();
    await imported(number);
    await correct(number, RENAMED);
    await perform(number);
    const retention = test.app.get(PayloadRetentionRepository);
    expect(await retention.erase(test.supplier.id, new Date(Date.now() + 1_000), 1_000)).toBeGreaterThan(0);
    expect(await correctionOf(number)).toEqual({ status: 'SUCCEEDED', changes: null, payload: null });
    // What changes is not known then, and the account is corrected all the same.
    const other = { customers: [{ given_name: 'Maeve', family_name: 'Third' }] };
    expect((await correct(number, other)).view).toMatchObject({
      version: 3,
      changes: null,
      change_count: null,
    });
    expect(await perform(number)).toEqual({ kind: 'corrected' });
  });

  it('waits for the inspection of a document, and keeps its result', async () => {
    const number = newNumber();
    const documents = { notes: [{ body: 'Rang.', document_paths: [{ document_path: 'letter.pdf' }] }] };
    const stored = await imported(number, documents);
    await correct(number, { ...documents, ...RENAMED });
    let performed: Promise<unknown> = Promise.resolve();
    await test.app.get(Database).transaction(async (executor) => {
      await executor.manager.query(
        `UPDATE document SET state = 'MISSING', error_code = 'x', unsettled_supplier_id = 1 WHERE account_id = $1`,
        [stored.id],
      );
      performed = perform(number);
      await test.untilWaiting(1, '%locked_document%');
    });
    expect(await performed).toEqual({ kind: 'corrected' });
    expect(await stored.sql('SELECT path, state FROM document WHERE account_id = $1')).toEqual([
      { path: 'letter.pdf', state: 'MISSING' },
    ]);
  });

  it('is performed beside additions to the same account: none is lost', async () => {
    const number = newNumber();
    const stored = await imported(number);
    await correct(number, RENAMED);
    const payments = Array.from({ length: 5 }, (_, nth) => ({
      transaction_id: `B-${nth}`,
      type: 'PAYMENT',
      amount: '1.00',
      transaction_date: '2026-11-20',
      ledger_code: 'MAIN',
    }));
    const [outcome] = await Promise.all([
      perform(number),
      ...payments.map(async (payment) => stored.add([payment])),
    ]);
    expect(outcome).toEqual({ kind: 'corrected' });
    expect(await stored.sql('SELECT balance FROM ledger WHERE account_id = $1')).toEqual([
      { balance: '-5.00' },
    ]);
    expect(await stored.sql('SELECT FROM transaction WHERE account_id = $1')).toHaveLength(6);
  });

  it.each<[string, (number: string) => Promise<unknown>]>([
    [
      'was corrected since',
      async (number) => {
        await correct(number, RENAMED);
        await perform(number);
      },
    ],
    [
      'is no longer imported',
      async (number) =>
        setProcess(number, `status = 'CANCELLED', account_number = NULL, account_created_at = NULL`),
    ],
    ['was erased', async (number) => setProcess(number, `payload_hash = ''`)],
    [
      'has a pending correction',
      async (number) => {
        await correct(number, RENAMED);
        await setProcess(number, 'version = 1');
      },
    ],
  ])('is not written if the account %s, beside one of another account', async (_state, change) => {
    const numbers = [newNumber(), newNumber()];
    for (const number of numbers) await imported(number);
    const read = await processesOf(test, ...numbers);
    await change(numbers[0]!);
    const written = await test.app.get(CorrectionRepository).write(
      read.map((process) => ({
        changes: [],
        count: 0,
        process,
        isDryRun: false,
        payloadHash: randomBytes(32),
        payloadDigest: randomBytes(32),
        payload: '{}',
        contextDigest: null,
        actor: 'api-key:test',
        submissionId: null,
      })),
      null,
    );
    expect(written).toEqual([undefined, { processId: read[1]!.processId, version: 2 }]);
  });

  it('is left by the job of an earlier one, beside the job of another account', async () => {
    const numbers = [newNumber(), newNumber()];
    for (const number of numbers) {
      await imported(number);
      await correct(number, RENAMED);
      await perform(number);
      await correct(number);
    }
    const [old, other] = await processesOf(test, ...numbers);
    const jobs = [{ ...old!, version: 2 }, other!];
    expect(await test.app.get(ImportAccounts).import(jobs, { isFirstRun: true })).toEqual([
      { kind: 'outdated' },
      { kind: 'corrected' },
    ]);
    expect(await correctionOf(numbers[0]!)).toMatchObject({ status: 'PENDING' });
  });

  it('is read with the account, the import and the supplier of its own, unless that one is paused', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    await suppliers.create('SECOND', 'Supplier Ltd', {});
    const codes = ['LEGACY', 'SECOND'];
    const numbers = codes.map(newNumber);
    for (const [index, code] of codes.entries()) {
      const number = numbers[index]!;
      await imported(number, { import_supplier: code });
      const payload = body(number, { ...RENAMED, import_supplier: code });
      await test.app
        .get(CorrectAccount)
        .correct(test.caller, code, number, { body: { payload, task_params: {} }, ifMatch: undefined });
    }
    const own = await test.sql<object>(
      `SELECT process.external_account_number AS "externalAccountNumber", account_number AS "accountNumber",
         closed_at AS "importedAt"
       FROM import_process process JOIN account ON process_id = process.id
       JOIN statement_period ON account_id = account.id AND position = 0
       WHERE process.external_account_number = ANY($1) ORDER BY process.id`,
      [numbers],
    );
    const jobs = await processesOf(test, ...numbers);
    const read = async () => test.app.get(CorrectionRepository).read(jobs, true);
    const expected = own.map((one, index) => ({ ...one, supplier: { code: codes[index] } }));
    expect(await read()).toMatchObject(expected);
    await suppliers.setStatus('SECOND', 'Paused');
    expect(await read()).toMatchObject([expected[0], undefined]);
  });

  it('counts its own repeated runs alone', async () => {
    const numbers = [newNumber(), newNumber()];
    for (const number of numbers) await imported(number);
    await correct(numbers[0]!, RENAMED);
    await perform(numbers[0]!);
    for (const number of numbers) await correct(number, { nickname: 'other' });
    const [repeated, other] = await processesOf(test, ...numbers);
    const corrections = test.app.get(CorrectionRepository);
    await corrections.read([repeated!], false);
    await corrections.read([other!], true);
    const attempts = await test.sql(
      `SELECT correction.version, correction.attempt FROM import_process_correction correction
       WHERE process_id = ANY($1) ORDER BY process_id, version`,
      [[repeated!.processId, other!.processId]],
    );
    expect(attempts).toEqual([
      { version: 2, attempt: 0 },
      { version: 3, attempt: 1 },
      { version: 2, attempt: 0 },
    ]);
  });

  it('succeeds once if two runs end it at the same time', async () => {
    const number = newNumber();
    await imported(number);
    await correct(number, RENAMED);
    const [correction] = await processesOf(test, number);
    const performed = [{ correction: correction!, externalIdentifier: number, warnings: [] }];
    const [database, corrections] = [test.app.get(Database), test.app.get(CorrectionRepository)];
    const succeed = async () =>
      database.transaction(async (executor) => corrections.succeed(executor, performed));
    const late = await database.transaction(async (executor) => {
      expect(await corrections.succeed(executor, performed)).toEqual([true]);
      const waiting = succeed();
      await test.untilWaiting();
      return [waiting];
    });
    expect(await Promise.all(late)).toEqual([[false]]);
  });

  it('leaves each process of a batch with what was sent of its own account', async () => {
    const numbers = [newNumber(), newNumber()];
    for (const number of numbers) {
      await imported(number);
      await correct(number, { nickname: `of ${number}` });
    }
    const performed = (await processesOf(test, ...numbers)).map((correction, index) => ({
      correction,
      externalIdentifier: `I-${numbers[index]}`,
      warnings: [],
    }));
    const succeeded = await test.app
      .get(Database)
      .transaction(async (executor) => test.app.get(CorrectionRepository).succeed(executor, performed));
    expect(succeeded).toEqual([true, true]);
    const rows = await test.sql(
      `SELECT external_identifier AS identifier, stored.payload ->> 'nickname' AS nickname,
         process.payload_hash = correction.payload_hash AS "hasHash"
       FROM import_process process JOIN import_process_payload stored ON stored.process_id = process.id
       JOIN import_process_correction correction ON correction.process_id = process.id
       WHERE external_account_number = ANY($1) ORDER BY process.id`,
      [numbers],
    );
    expect(rows).toEqual(
      numbers.map((number) => ({ identifier: `I-${number}`, nickname: `of ${number}`, hasHash: true })),
    );
  });

  it('is cancelled with its own submission alone, up to a limit, unless it has ended', async () => {
    const numbers = [newNumber(), newNumber(), newNumber(), newNumber()];
    const own = await TestSubmission.open(test, numbers[0]!);
    const other = await TestSubmission.open(test, numbers[3]!);
    for (const number of numbers) {
      await imported(number);
      await correct(number, RENAMED);
      if (number === numbers[0]) await perform(number);
      await test.sql(
        `UPDATE import_process_correction SET submission_id = $2
         WHERE process_id = (SELECT id FROM import_process WHERE external_account_number = $1)`,
        [number, (number === numbers[3] ? other : own).id],
      );
    }
    const cancel = async () => test.app.get(CorrectionRepository).cancel(own.id, 1);
    expect([await cancel(), await cancel(), await cancel()]).toEqual([1, 1, 0]);
    expect(await Promise.all(numbers.map(correctionOf))).toMatchObject([
      { status: 'SUCCEEDED' },
      { status: 'CANCELLED' },
      { status: 'CANCELLED' },
      { status: 'PENDING' },
    ]);
  });

  it('keeps its organisation, whatever other ones there are', async () => {
    const number = newNumber();
    await imported(number);
    await test.app.get(Organisations).create('Other Ltd');
    await test.app.get(ImportSuppliers).create('FOREIGN', 'Other Ltd', {});
    const [process] = await processesOf(test, number);
    const locked = await test.app
      .get(Database)
      .transaction(async (executor) =>
        test.app.get(AccountCorrectionRepository).lock(executor, [process!.processId]),
      );
    expect([...locked.values()]).toMatchObject([
      { externalAccountNumber: number, organisationId: test.organisationId },
    ]);
  });

  it('is enqueued by the sweeper if its job was lost', async () => {
    const number = newNumber();
    await imported(number);
    await correct(number, RENAMED);
    await test.sql(
      `UPDATE import_process_correction SET enqueued_at = now() - interval '1 day' WHERE status = 'PENDING'`,
    );
    const stale = await test.app.get(StaleImportRepository).takeCorrections(1_000, 1_000);
    expect(stale.map(({ externalAccountNumber }) => externalAccountNumber)).toContain(number);
    expect(await perform(number)).toEqual({ kind: 'corrected' });
  });

  it('refuses a ledger whose statement period was closed since, if its money changes', async () => {
    const number = newNumber();
    const stored = await imported(number);
    await stored.sql(
      `UPDATE statement_period SET closed_at = now(), closing_balance = -10 WHERE account_id = $1 AND position = 1`,
    );
    await stored.sql(
      `INSERT INTO statement_period (account_id, ledger_position, position, start_date, end_date)
       VALUES ($1, 0, 2, '2030-01-01', '2030-01-31')`,
    );
    await correct(number, {
      ledgers: [{ ledger_code: 'MAIN', ledger_balance: '-12.00', last_statement_balance: '-12.00' }],
      transfer_balance: '-12.00',
    });
    expect(await perform(number)).toEqual({ kind: 'errored', code: 'statement_period_closed' });
    // A name may change still.
    await correct(number, RENAMED);
    expect(await perform(number)).toEqual({ kind: 'corrected' });
    expect(await stored.sql('SELECT count(*)::int FROM statement_period WHERE account_id = $1')).toEqual([
      { count: 3 },
    ]);
  });

  describe('taking an account back', () => {
    const takeBack = async (number: string) =>
      test.app.get(TakeBackAccount).takeBack(test.caller, 'LEGACY', number);

    /** As a take-back or a rollback after its check. */
    async function remove(number: string): Promise<void> {
      const [row] = await test.sql<{ id: string }>(
        'SELECT id FROM account WHERE external_account_number = $1',
        [number],
      );
      await test.app
        .get(Database)
        .transaction(async (executor) =>
          test.app.get(AccountRemovalRepository).remove(executor, [row!.id], 'TAKEN_BACK', 'api:test'),
        );
    }

    it('deletes the account and frees its number', async () => {
      const number = newNumber();
      await imported(number);
      expect(await takeBack(number)).toMatchObject({ status: 'CANCELLED', platform_identifier: null });
      expect(await takeBack(number)).toMatchObject({ status: 'CANCELLED' });
      await imported(number, RENAMED);
      expect(await statusOf(number)).toMatchObject({ status: 'PROCESSED' });
    });

    it('forgets the corrections of the account, and counts no rehearsal and none of its own submission', async () => {
      const number = newNumber();
      const isCorrected = async ({ id }: ImportedTestAccount, submissionId = '0') => {
        const removal = test.app.get(AccountRemovalRepository);
        return (await removal.histories(test.app.get(Database), [id], submissionId)).get(id)?.isCorrected;
      };
      const earlier = await imported(number);
      const beside = await imported(newNumber());
      await correct(number, RENAMED, { taskParams: { is_dry_run: true } });
      await perform(number);
      expect(await isCorrected(earlier)).toBe(false);
      await correct(number, RENAMED);
      await perform(number);
      expect([await isCorrected(earlier), await isCorrected(beside)]).toEqual([true, false]);
      const end = async (status: string, code: string | null) =>
        test.sql(
          `UPDATE import_process_correction SET status = $2, error_code = $3 WHERE NOT is_dry_run
             AND process_id = (SELECT id FROM import_process WHERE external_account_number = $1)`,
          [number, status, code],
        );
      await end('ERRORED', 'internal_error');
      expect(await isCorrected(earlier)).toBe(false);
      await end('SUCCEEDED', null);
      const { id: submissionId } = await TestSubmission.open(test, number);
      await test.sql(
        `UPDATE import_process_correction SET submission_id = $2
         WHERE process_id = (SELECT id FROM import_process WHERE external_account_number = $1)`,
        [number, submissionId],
      );
      expect([await isCorrected(earlier, submissionId), await isCorrected(earlier)]).toEqual([false, true]);
      await takeBack(number);
      const later = await imported(number);
      expect(await isCorrected(later)).toBe(false);
    });

    it('fails, and leaves the account, if its process is not PROCESSED', async () => {
      const number = newNumber();
      const stored = await imported(number);
      await setProcess(number, `status = 'CANCELLED', account_number = NULL, account_created_at = NULL`);
      await expect(remove(number)).rejects.toThrow('A process of an account is not PROCESSED.');
      expect(await stored.sql('SELECT FROM customer WHERE account_id = $1')).toHaveLength(1);
    });

    it('names what was added since, and leaves it', async () => {
      const number = newNumber();
      const stored = await imported(number);
      await stored.add([PAYMENT]);
      await expect(takeBack(number)).rejects.toMatchObject({
        code: 'account_has_additions',
        members: { additions: expect.arrayContaining(['transactions']) as string[] },
      });
    });

    it('is refused while the account is corrected', async () => {
      const number = newNumber();
      await imported(number);
      await correct(number, RENAMED);
      await expect(takeBack(number)).rejects.toMatchObject({ code: 'import_process_in_progress' });
    });

    describe('that was checked before its correction was accepted', () => {
      const GONE = { kind: 'errored', code: 'account_not_imported' };

      it('ends the correction with an error', async () => {
        const number = newNumber();
        await imported(number);
        await correct(number, RENAMED);
        await remove(number);
        expect(await perform(number, true, 2)).toEqual(GONE);
        expect(await perform(number, true, 2)).toEqual({ kind: 'outdated' });
      });

      it('leaves an account alone that was imported later', async () => {
        const number = newNumber();
        await imported(number);
        await correct(number, RENAMED);
        await remove(number);
        const later = await imported(number);
        expect(await perform(number, true, 2)).toEqual(GONE);
        expect(await later.sql('SELECT family_name FROM customer WHERE account_id = $1')).toEqual([
          { family_name: 'Aldous' },
        ]);
        await correct(number, RENAMED);
        expect(await perform(number)).toEqual({ kind: 'corrected' });
      });

      it('leaves an account alone that was imported while the correction was performed', async () => {
        const number = newNumber();
        await imported(number);
        await correct(number, RENAMED);
        const corrections = test.app.get(CorrectionRepository);
        const read = corrections.read.bind(corrections);
        jest.spyOn(corrections, 'read').mockImplementationOnce(async (...versions) => {
          const found = await read(...versions);
          await remove(number);
          await imported(number);
          return found;
        });
        expect(await perform(number)).toEqual(GONE);
        expect(
          await test.sql(
            'SELECT family_name FROM customer JOIN account ON account.id = account_id WHERE external_account_number = $1',
            [number],
          ),
        ).toEqual([{ family_name: 'Aldous' }]);
      });
    });
  });
});
