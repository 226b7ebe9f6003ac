import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ImportAccounts, type ProcessVersion } from '@portage/imports';
import { ImportSuppliers } from '@portage/tenants';
import { processesOf, scheduleAccount, useApplication } from '@portage/testing/application';
import type { WholeAccount } from './account-inspection.repository';
import { InspectAccount } from './inspect-account';

const EXAMPLES = join(__dirname, '..', '..', '..', 'account-schema', 'test', 'examples');

const example = (name: string): Record<string, unknown> => ({
  ...(JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8')) as Record<string, unknown>),
  import_supplier: 'LEGACY',
});

describe('a created account', () => {
  const test = useApplication();

  async function scheduled(
    payload: Record<string, unknown>,
    taskParams: object = {},
  ): Promise<ProcessVersion> {
    await scheduleAccount(test, test.caller, { payload, task_params: taskParams });
    const [version] = await processesOf(test, payload['external_account_number'] as string);
    return version!;
  }

  async function created(payload: Record<string, unknown>): Promise<WholeAccount> {
    const { processId, version } = await scheduled(payload);
    expect(await test.app.get(ImportAccounts).import([{ processId, version }])).toEqual([
      { kind: 'processed' },
    ]);
    const [row] = await test.sql<{ number: string }>(
      'SELECT account_number AS number FROM import_process WHERE id = $1',
      [processId],
    );
    return test.app.get(InspectAccount).show(row!.number);
  }

  const examples = new Map<string, WholeAccount>();

  /** Creates each example once, because its supply charges cannot be charged twice. */
  async function ofExample(name: string): Promise<WholeAccount> {
    const whole = examples.get(name) ?? (await created(example(name)));
    examples.set(name, whole);
    return whole;
  }

  it.each(['01-domestic-dual-fuel', '02-minimal', '03-business-two-addresses', '04-unknown-occupier'])(
    'the account of the example %s contains all values that were sent',
    async (name) => {
      const payload = example(name);
      const { payload: sent, supplier, ...stored } = await ofExample(name);
      expect(sent?.payload).toEqual(payload);
      const storedValues = new Set(leaves({ ...stored, code: supplier.code }));
      const numbers = new Set(['landline', 'mobile', 'phone_number']);
      expect([...leaves(payload, numbers)].filter((leaf) => !storedValues.has(leaf))).toEqual([]);
    },
  );

  it('has numbers in E.164, and preferences and consents with the customer', async () => {
    const whole = await ofExample('01-domestic-dual-fuel');
    expect(whole.customers.map(({ landline, mobile }) => [landline, mobile])).toEqual([
      ['+441212345678', '+447400123456'],
      [null, '+447400123457'],
    ]);
    expect(whole.customers[0]!.details['consents']).toHaveLength(2);
  });

  it('has a closed statement period for history and an open one in each ledger', async () => {
    const whole = await ofExample('01-domestic-dual-fuel');
    const today = new Date();
    const lastOfMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0));
    const end = lastOfMonth.toISOString().slice(0, 10);
    const periods = whole.statementPeriods.map((one) => [
      one.ledgerPosition,
      one.position,
      one.startDate,
      one.endDate,
      one.closedAt === null,
      one.closingBalance,
    ]);
    expect(periods).toHaveLength(4);
    expect(periods).toEqual(
      expect.arrayContaining([
        [0, 0, '2024-05-01', '2024-05-31', false, '17.39'],
        [0, 1, '2024-06-01', end, true, null],
        // Without a closing date the period starts at the earliest last_billed_to_date.
        [1, 0, null, '2024-05-31', false, null],
        [1, 1, '2024-06-01', end, true, null],
      ]),
    );
    const placed = whole.transactions.map((one) => [
      one.transactionId,
      one.ledgerPosition,
      one.periodPosition,
    ]);
    expect(placed).toEqual([
      ...[1, 2, 3].map((n) => [`HB-000${n}`, 0, 0]),
      ...[4, 5, 6, 7].map((n) => [`HB-000${n}`, 0, 1]),
      ['HS-0001', 1, 1],
      ['HS-0002', 1, 1],
    ]);
    expect(whole.ledgers.map(({ balance }) => balance)).toEqual(['75.50', '-14.00']);
  });

  it('has one ledger by default, whose balance is the last statement plus its transactions', async () => {
    const whole = await created({
      import_supplier: 'LEGACY',
      external_account_number: 'ONE-LEDGER',
      last_statement_balance: '-10.10',
      last_statement_closing_date: '2026-09-30',
      current_statement_transactions: [
        {
          transaction_id: 'C-1',
          transaction_date: '2026-10-02',
          type: 'CHARGE',
          reason: 'IMPORTED_CHARGE',
          amount: 0.2,
        },
        { transaction_id: 'P-1', transaction_date: '2026-10-03', type: 'PAYMENT', amount: '20.35' },
      ],
    });
    expect(whole.ledgers.map(({ balance, ledgerCode }) => [balance, ledgerCode])).toEqual([['10.05', null]]);
    expect(whole.transactions.map(({ amount }) => amount)).toEqual(['0.20', '20.35']);
  });

  it('gets one welcome e-mail if its supplier wants it, and none from a dry run', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    await suppliers.set('LEGACY', { sendMigrationEmails: true });
    const customers = [{ family_name: 'Nomail' }, { family_name: 'Aldous', email: 'm.aldous@example.org' }];
    const payload = { import_supplier: 'LEGACY', external_account_number: 'EMAIL', customers };
    const dryRun = await scheduled(payload, { is_dry_run: true });
    expect(await test.app.get(ImportAccounts).import([dryRun])).toEqual([{ kind: 'dry-run-succeeded' }]);
    expect(await emails()).toBe(0);
    const { welcomeEmail, account } = await created(payload);
    expect(welcomeEmail).toMatchObject({ recipient: 'm.aldous@example.org', state: 'PENDING' });
    expect(welcomeEmail!.body).toContain(account.number);
    const withoutAddress = {
      ...payload,
      external_account_number: 'NO-ADDRESS',
      customers: customers.slice(0, 1),
    };
    expect((await created(withoutAddress)).welcomeEmail).toBeNull();
    await suppliers.set('LEGACY', { sendMigrationEmails: false });
    expect((await created({ ...payload, external_account_number: 'NO-EMAIL' })).welcomeEmail).toBeNull();
    expect(await emails()).toBe(1);
  });

  const emails = async () => test.countRows('welcome_email');
});

/** Yields every value in a tree of JSON as text. Equal instants and equal numbers give equal texts. */
function* leaves(tree: unknown, without: ReadonlySet<string> = new Set()): Generator<string> {
  if (tree === null || tree === undefined || Buffer.isBuffer(tree)) return;
  if (typeof tree === 'object') {
    for (const [name, value] of Object.entries(tree)) if (!without.has(name)) yield* leaves(value, without);
  } else if (typeof tree === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(tree))
    yield new Date(tree.replace(/\+00$/, 'Z')).toISOString();
  else if (tree !== '' && !Number.isNaN(Number(tree))) yield String(Number(tree));
  else if (tree !== '') yield JSON.stringify(tree);
}
