import { OperatorRules } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  importAccounts,
  ImportedTestAccount,
  openSubmission,
  processRequests,
  scheduleAccount,
  StoredProcesses,
  supplyCharge,
  uploadAccounts,
  useApplication,
} from '@portage/testing/application';
import { Client } from 'pg';
import { ScheduleAccounts } from './schedule-accounts';

const test = useApplication();
const stored = new StoredProcesses(test);
/** Has no meaning. */
const WAIT = 42;
let other: Client;

beforeAll(async () => {
  const roles = [
    { code: 'CARER', exclusive: false },
    { code: 'FRIEND', exclusive: false },
    { code: 'EXECUTOR', exclusive: true },
  ];
  await test.app.get(OperatorRules).importReferenceData(JSON.stringify({ roles }));
  other = new Client({ connectionString: test.databaseUrl });
  await other.connect();
  // Has each statement that creates accounts wait once it has its snapshot and has compared values by it.
  await stored.sql(`
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock_shared(${WAIT});
      RETURN NEW;
    END $$;
    CREATE TRIGGER wait_for_test BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION wait_for_test()`);
});
afterAll(async () => {
  await other.end();
});

const holder = (email: string, role: string) => ({
  customers: [{ given_name: 'Ida', email, portfolio_roles: [role] }],
});
const charge = (point: string, first: string, last: string) => ({
  current_statement_transactions: [supplyCharge(`${point} ${first}`, point, first, last)],
});

/** Two accounts that break a rule together, by its code. `value` differs from case to case. */
const PAIRS: Record<string, (value: string) => [object, object]> = {
  reference_already_exists: (value) => {
    const references = [{ namespace: 'portal', value }];
    return [{ references }, { references }];
  },
  cais_reference_already_in_use_on_another_account: (value) => [
    { debts: [{ cais_reference: value }, { cais_reference: `${value} of another debt` }] },
    { debts: [{ cais_reference: value }] },
  ],
  customer_has_exclusive_role_conflict: (value) => [
    holder(`${value}@example.org`, 'EXECUTOR'),
    holder(`${value}@EXAMPLE.org`, 'CARER'),
  ],
  line_items_overlap_already_charged_period: (value) => [
    charge(value, '2025-01-01', '2025-01-31'),
    charge(value, '2025-01-31', '2025-02-27'),
  ],
};
const CODES = Object.keys(PAIRS);

let next = 0;
const newValue = () => `V${next++}`;

async function post(more: object): Promise<string> {
  const number = `SHARED-${next++}`;
  await scheduleAccount(test, test.caller, account(number, more));
  return number;
}

/** Performs all of `work` so that each creates accounts by a snapshot from before the others are committed. */
async function overlapping<Result>(work: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  await other.query('SELECT pg_advisory_lock($1)', [WAIT]);
  const results: Promise<Result>[] = [];
  try {
    for (const [index, one] of work.entries()) {
      results.push(one());
      await test.untilWaiting(index + 1);
    }
  } finally {
    await other.query('SELECT pg_advisory_unlock($1)', [WAIT]);
  }
  return Promise.all(results);
}

describe('two accounts that break a rule together', () => {
  it.each(CODES)('are not both imported in one batch: %s', async (code) => {
    const [one, two] = PAIRS[code]!(newValue());
    const numbers = [await post(one), await post({}), await post(two), await post({})];
    expect(await importAccounts(test, ...numbers)).toEqual(['processed', 'processed', code, 'processed']);
    const reversed = PAIRS[code]!(newValue()).reverse();
    expect(await importAccounts(test, await post(reversed[0]!), await post(reversed[1]!))).toEqual([
      'processed',
      code,
    ]);
  });

  it.each(CODES)('are not both imported by concurrent batches, in either order: %s', async (code) => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const pair = PAIRS[code]!(newValue());
      const numbers = [await post(pair[order[0]]), await post(pair[order[1]])];
      const outcomes = await overlapping(numbers.map((number) => async () => importAccounts(test, number)));
      expect(outcomes.flat().sort()).toEqual([code, 'processed'].sort());
    }
  });

  const allPairs = () =>
    CODES.flatMap((code) => PAIRS[code]!(newValue())).map((more) => account(`SHARED-${next++}`, more));
  const numbersOf = (accounts: readonly Record<string, unknown>[]) =>
    accounts.map(({ external_account_number }) => String(external_account_number));
  const expected = CODES.flatMap((code) => ['processed', code]);

  it('are not both imported from one upload', async () => {
    const accounts = allPairs();
    await uploadAccounts(test, await openSubmission(test), accounts);
    expect(await importAccounts(test, ...numbersOf(accounts))).toEqual(expected);
  });

  it('are not both imported from requests that are stored together', async () => {
    const accounts = allPairs();
    const posted = accounts.map((body) => ({ caller: test.caller, body }));
    const answers = await test.app.get(ScheduleAccounts).schedule(posted);
    expect(answers.map(({ status }) => status)).toEqual(accounts.map(() => 'fulfilled'));
    expect(await importAccounts(test, ...numbersOf(accounts))).toEqual(expected);
  });
});

describe('two accounts that share a value and break no rule', () => {
  it.each([
    ['a role', holder('shared@example.org', 'CARER'), holder('shared@example.org', 'CARER')],
    ['a person', holder('person@example.org', 'CARER'), holder('person@example.org', 'FRIEND')],
    [
      'an exclusive role',
      holder('executor@example.org', 'EXECUTOR'),
      holder('executor@example.org', 'EXECUTOR'),
    ],
    ['a supply point', charge('P-1', '2025-01-01', '2025-01-31'), charge('P-1', '2025-02-01', '2025-02-27')],
  ])('are imported in one batch and by concurrent ones: %s', async (_value, one, two) => {
    expect(await importAccounts(test, await post(one), await post(two))).toEqual(['processed', 'processed']);
    const again = [
      await post(holder('a@example.org', 'CARER')),
      await post(holder('a@example.org', 'FRIEND')),
    ];
    const outcomes = await overlapping(again.map((number) => async () => importAccounts(test, number)));
    expect(outcomes.flat()).toEqual(['processed', 'processed']);
  });
});

it('an account may have a CAIS reference on several of its debts', async () => {
  const cais_reference = newValue();
  expect(await importAccounts(test, await post({ debts: [{ cais_reference }, { cais_reference }] }))).toEqual(
    ['processed'],
  );
});

it('two transactions requests that charge the same days add them to one account', async () => {
  const accounts = [
    await ImportedTestAccount.create(test, 'CHARGED-1'),
    await ImportedTestAccount.create(test, 'CHARGED-2'),
  ];
  const answers = Promise.allSettled(
    accounts.map(async (one, index) =>
      one.send([supplyCharge(`T-${index}`, 'P-2', '2024-06-01', '2024-06-10')]),
    ),
  );
  const ids = await Promise.all(accounts.map(async (one) => one.waitForPending()));
  await Promise.all(ids.map(async (id) => processRequests(test, [id])));
  const outcomes = (await answers).map((answer) =>
    answer.status === 'fulfilled' ? 'added' : (answer.reason as { code: string }).code,
  );
  expect(outcomes.sort()).toEqual(['added', 'line_items_overlap_already_charged_period']);
  const counts = await Promise.all(accounts.map(async (one) => (await one.transactions()).length));
  expect(counts.sort()).toEqual([0, 1]);
});
