import { CancelImport, StageAccount } from '@portage/imports';
import {
  type AuditAction,
  AuditRepository,
  Database,
  type PortageError,
  QUOTA_KINDS,
  QUOTA_NAMES,
  type QuotaName,
  Quotas,
} from '@portage/platform';
import { AbortSubmission, CompleteSubmission, OpenSubmission, Submissions } from '@portage/submissions';
import { ImportSuppliers, SupplierProfile } from '@portage/tenants';
import { account, until } from '@portage/testing';
import {
  scheduleAccount,
  StoredProcesses,
  uploadAccounts,
  useApplication,
} from '@portage/testing/application';
import { ViewSuppliers } from './view-suppliers';

const LIMITS = {
  QUOTA_OPEN_SUBMISSIONS: '10',
  QUOTA_REFUSED_LINES: '300',
  QUOTA_STAGED_ACCOUNTS: '5',
  QUOTA_AUDIT_ENTRIES_PER_DAY: '200',
  QUOTA_ACCOUNT_READS_PER_DAY: '3',
  QUOTA_IDEMPOTENCY_KEYS: '6',
};

const test = useApplication('postgres', { PORTAGE_OPERATOR: 'Ada', ...LIMITS });
const stored = new StoredProcesses(test);
let suppliers = 0;
let supplier = '';

beforeEach(async () => {
  supplier = `QUOTA-${(suppliers += 1)}`;
  await test.app.get(ImportSuppliers).create(supplier, 'Supplier Ltd', { creationMode: 'direct' });
});

let references = 0;
const open = async (code = supplier) =>
  test.app
    .get(OpenSubmission)
    .open(test.caller, { import_supplier: code, reference: `R-${(references += 1)}` });
const outcomeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'stored',
    (error: unknown) => (error as PortageError).code,
  );
/** A count is used for a second. */
const untilStored = async (work: () => Promise<unknown>) =>
  until(async () => (await outcomeOf(work())) === 'stored', 'What was freed is used.');
const quotasOf = async (code = supplier) =>
  (await test.app.get(SupplierProfile).read(test.organisationId, code)).quotas;

const invalid = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      import_supplier: supplier,
      external_account_number: `${prefix}-${index}`,
      customers: 7,
    }),
  );
const valid = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify(account(`${prefix}-${index}`, { import_supplier: supplier })),
  );
const countSubmissions = async () =>
  test.countRows('submission JOIN import_supplier s ON s.id = supplier_id WHERE code = $1', [supplier]);
const refusedOf = async (id: string) =>
  test.countRows(`submission_line WHERE submission_id = $1 AND outcome = 'refused'`, [id]);

/** Audits an action of the supplier. */
const record = async (action: AuditAction) =>
  outcomeOf(
    test.app.get(AuditRepository).record(test.app.get(Database), { actor: 'api-key:test', action, supplier }),
  );

describe('the quota of', () => {
  it('open submissions refuses the next one, says what to do, and is that of one supplier', async () => {
    const ids = [];
    for (let count = 0; count < 10; count += 1) ids.push((await open()).submission.id);
    const error = await open().catch((thrown: unknown) => thrown as PortageError);
    expect(error).toMatchObject({
      code: 'quota_reached',
      message:
        'Open submissions of the supplier: 10 of 10 are stored. Complete or abort submissions. The operator can raise the limit.',
      members: { quota: 'open_submissions', used: 10, limit: 10 },
    });
    expect(await quotasOf()).toMatchObject({ open_submissions: { used: 10, limit: 10 } });
    await open('LEGACY');
    await test.app.get(AbortSubmission).abort(test.caller, ids[0]!);
    await untilStored(open);
    expect(await outcomeOf(open())).toBe('quota_reached');
  });

  it('open submissions holds for concurrent requests, and is used up by them', async () => {
    const outcomes = await Promise.all(Array.from({ length: 60 }, async () => outcomeOf(open())));
    expect(new Set(outcomes)).toEqual(new Set(['stored', 'quota_reached']));
    const accepted = await countSubmissions();
    expect(accepted).toBeLessThanOrEqual(10);
    for (let count = accepted; count < 10; count += 1) await untilStored(open);
    expect(await outcomeOf(open())).toBe('quota_reached');
  });

  it('refused lines ends an upload, whose corrected lines make place', async () => {
    const { id } = (await open()).submission;
    expect(await outcomeOf(uploadAccounts(test, id, invalid('BAD', 1_000)))).toBe('quota_reached');
    const refused = await refusedOf(id);
    expect(refused).toBeLessThanOrEqual(300);
    expect(refused).toBeGreaterThanOrEqual(192);
    expect(await outcomeOf(uploadAccounts(test, (await open()).submission.id, invalid('MORE', 200)))).toBe(
      'quota_reached',
    );
    // Valid accounts are accepted as before, and in place of refused ones they free what those have used.
    expect(await uploadAccounts(test, id, valid('BAD', 150))).toMatchObject({ accepted: 150 });
    expect(await refusedOf(id)).toBe(refused - 150);
    await untilStored(async () => uploadAccounts(test, id, invalid('MORE', 64)));
  });

  it('refused lines counts those that stored accounts have made refused', async () => {
    const { id } = (await open()).submission;
    // Each has the identifier of the one before.
    const taken = Array.from({ length: 320 }, (_, index) =>
      JSON.stringify(
        account(`TAKEN-${index}`, { import_supplier: supplier, external_identifier: 'the-same' }),
      ),
    );
    const outcomes = [];
    for (let at = 0; at < 320; at += 64)
      outcomes.push(await outcomeOf(uploadAccounts(test, id, taken.slice(at, at + 64))));
    expect(outcomes.at(-1)).toBe('quota_reached');
    // They are known after their batch, which is stored.
    expect(await refusedOf(id)).toBeLessThanOrEqual(300 + 64);
    expect(await refusedOf(id)).toBeGreaterThanOrEqual(255);
  });

  it('staged accounts refuses another one', async () => {
    const stage = async (number: string) =>
      outcomeOf(
        test.app
          .get(StageAccount)
          .stage(test.caller, account(number, { import_supplier: supplier }), undefined),
      );
    const outcomes = [];
    for (let count = 0; count < 7; count += 1) outcomes.push(await stage(`STAGED-${count}`));
    expect(outcomes).toEqual([...Array<string>(5).fill('stored'), 'quota_reached', 'quota_reached']);
    expect(await quotasOf()).toMatchObject({ staged_accounts: { used: 5, limit: 5 } });
  });

  it('the audit refuses what requests would add, with their change, and nothing that ends something or that operators do', async () => {
    await stored.sql(
      `INSERT INTO audit_entry (actor, action, supplier) SELECT 'api-key:test', 'submission.open', $1
       FROM generate_series(1, 199)`,
      [supplier],
    );
    const { id } = (await open()).submission;
    expect(await outcomeOf(open())).toBe('quota_reached');
    expect(await countSubmissions()).toBe(1);
    await uploadAccounts(test, id, valid('KEPT', 1));
    const name = { import_supplier: supplier, external_account_number: 'SINGLE' };
    await scheduleAccount(test, test.caller, name);
    expect(await outcomeOf(test.app.get(CancelImport).cancel(test.caller, supplier, 'SINGLE'))).toBe(
      'stored',
    );
    expect(await outcomeOf(test.app.get(CompleteSubmission).complete(test.caller, id))).toBe('stored');
    expect(await outcomeOf(test.app.get(AbortSubmission).abort(test.caller, id))).toBe('stored');
    expect((await test.app.get(Submissions).read(test.organisationId, id)).status).toBe('ABORTED');
    for (const action of ['webhook.disable', 'webhook.rotate-secret', 'webhook.delete'] as const)
      expect(await record(action)).toBe('stored');
    expect([await record('webhook.create'), await record('account.read')]).toEqual([
      'quota_reached',
      'stored',
    ]);
    const entry = { actor: 'operator:Ada', action: 'supplier.set', supplier } as const;
    await test.app.get(AuditRepository).record(test.app.get(Database), entry);
    expect(await outcomeOf(open('LEGACY'))).toBe('stored');
  });

  it('accounts that are read back refuses another one, and nothing else', async () => {
    const outcomes = [];
    for (let count = 0; count < 4; count += 1) outcomes.push(await record('account.read'));
    expect(outcomes).toEqual(['stored', 'stored', 'stored', 'quota_reached']);
    expect(await record('account.stage')).toBe('stored');
    expect(await quotasOf()).toMatchObject({
      account_reads: { used: 3, limit: 3 },
      audit_entries: { used: 1, limit: 200 },
    });
  });

  it('idempotency keys refuses another key of the organisation, and answers stored ones', async () => {
    const send = async (key: string, number: string) =>
      outcomeOf(
        scheduleAccount(
          test,
          test.caller,
          { import_supplier: supplier, external_account_number: number },
          key,
        ),
      );
    const outcomes = [];
    for (let count = 0; count < 8; count += 1) outcomes.push(await send(`key-${count}`, `KEYED-${count}`));
    expect(outcomes).toEqual([...Array<string>(6).fill('stored'), 'quota_reached', 'quota_reached']);
    expect(await send('key-0', 'KEYED-0')).toBe('stored');
    expect(await quotasOf('LEGACY')).toMatchObject({ idempotency_keys: { used: 6, limit: 6 } });
    // Without a key nothing is refused, and what was refused was not stored.
    await scheduleAccount(test, test.caller, {
      import_supplier: supplier,
      external_account_number: 'KEYED-7',
    });
    await stored.sql(`UPDATE idempotency_key SET created_at = now() - interval '73 hours'`);
  });
});

it('a supplier and the console see what is stored of each kind', async () => {
  await open();
  const { quotas } = await test.app.get(ViewSuppliers).read(supplier);
  expect(Object.keys(quotas)).toEqual(QUOTA_NAMES);
  expect(quotas).toMatchObject({
    open_submissions: { used: 1, limit: 10 },
    refused_lines: { used: 0, limit: 300 },
    audit_entries: { used: 1, limit: 200 },
    webhook_attempts: { used: 0, limit: 100_000 },
  });
});

describe('quotas cost', () => {
  it('no statement for a POST and for valid lines', async () => {
    const { id } = (await open()).submission;
    const take = jest.spyOn(test.app.get(Quotas), 'take');
    expect(await uploadAccounts(test, id, valid('FAST', 200))).toMatchObject({ accepted: 200 });
    await scheduleAccount(test, test.caller, { import_supplier: supplier, external_account_number: 'FAST' });
    const amounts = take.mock.calls.map(([, , amount = 1]) => amount);
    take.mockRestore();
    expect(amounts.filter((amount) => amount > 0)).toEqual([]);
  });

  it('one count a second, shared by the requests of that time', async () => {
    let counts = 0;
    const database = test.app.get(Database);
    const executor = {
      get manager() {
        counts += 1;
        return database.manager;
      },
    } as Database;
    const quotas = new Quotas(executor, { QUOTA_AUDIT_ENTRIES_PER_DAY: 1_000 } as never);
    const outcomes = await Promise.all(
      Array.from({ length: 1_001 }, async () => outcomeOf(quotas.take('audit_entries', { supplier }))),
    );
    expect([counts, outcomes.filter((outcome) => outcome === 'quota_reached').length]).toEqual([1, 1]);
  });

  it('a count of its own for a request whose shared one failed', async () => {
    let counts = 0;
    const database = test.app.get(Database);
    const executor = {
      get manager() {
        counts += 1;
        if (counts === 1) throw new Error('rolled back');
        return database.manager;
      },
    } as Database;
    const quotas = new Quotas(executor, { QUOTA_AUDIT_ENTRIES_PER_DAY: 10 } as never);
    const take = async () => quotas.take('audit_entries', { supplier });
    const outcomes = await Promise.allSettled([take(), take(), take()]);
    expect([counts, ...outcomes.map(({ status }) => status)]).toEqual([
      2,
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it.each<[QuotaName, string]>([
    ['open_submissions', 'submission_open_of_supplier'],
    ['refused_lines', 'submission_line_refused_of_supplier'],
    ['staged_accounts', 'import_process_staged'],
    ['audit_entries', 'audit_entry_tenant'],
    ['account_reads', 'audit_entry_account_read'],
    ['idempotency_keys', 'idempotency_key_pkey'],
    ['webhook_attempts', 'webhook_attempt_endpoint'],
  ])('reads of an index for %s', async (name, index) => {
    const owner = QUOTA_KINDS[name].owner === 'supplier' ? `'LEGACY'` : '1';
    const plans = QUOTA_KINDS[name].counted.map(async ({ table, where }) =>
      stored.sql<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT FROM ${table} WHERE ${where.replace(':owner', owner)} LIMIT 1000`,
      ),
    );
    const lines = (await Promise.all(plans))
      .flat()
      .map((line) => line['QUERY PLAN'])
      .join('\n');
    expect(lines).toContain(index);
    expect(lines).not.toMatch(/Seq Scan/);
  });
});
