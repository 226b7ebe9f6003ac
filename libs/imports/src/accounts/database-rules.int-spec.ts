import { Database, PortageError } from '@portage/platform';
import { ImportSupplierDirectory, OperatorRules } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  importAccounts,
  scheduleAccount,
  StoredProcesses,
  supplyCharge,
  useApplication,
} from '@portage/testing/application';
import { AccountValidation } from './account-validation';

const test = useApplication();
const stored = new StoredProcesses(test);

beforeAll(async () => {
  // Before the first request, so that no cache has other lists.
  const roles = [
    { code: 'CARER', exclusive: false },
    { code: 'EXECUTOR', exclusive: true },
  ];
  await test.app.get(OperatorRules).importReferenceData(JSON.stringify({ roles }));
});

const withReference = (value: string) => ({ references: [{ namespace: 'portal', value }] });
const chargedIn = (month: string) => ({
  current_statement_transactions: [
    supplyCharge(`charge of ${month}`, '1000000000110', `${month}-01`, `${month}-28`),
  ],
});

/** @returns `accepted`, or the code of the error */
async function post(number: string, more: object = {}): Promise<string> {
  try {
    await scheduleAccount(test, test.caller, account(number, more));
    return 'accepted';
  } catch (error) {
    if (error instanceof PortageError) return error.code;
    throw error;
  }
}

async function importOf(number: string): Promise<string> {
  const [end] = await importAccounts(test, number);
  return end!;
}

/** @returns the names of the statements that `work` runs outside of transactions */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const run = jest.spyOn(test.app.get(Database), 'run');
  try {
    await work();
    return run.mock.calls.map(([{ name }]) => name);
  } finally {
    run.mockRestore();
  }
}

describe('the database rules of an account', () => {
  it('are compared with stored accounts before the statements that write, in the API and in the worker', async () => {
    const more = { ...withReference('free'), ...chargedIn('2025-06') };
    // Fills the caches.
    expect([await post('first'), await importOf('first')]).toEqual(['accepted', 'processed']);
    let ends: string[] = [];
    const posting = await statementsOf(async () => (ends = [await post('second', more)]));
    const working = await statementsOf(async () => (ends = [...ends, await importOf('second')]));
    expect({ ends, posting, working }).toEqual({
      ends: ['accepted', 'processed'],
      posting: ['look-up-stored-accounts', 'write-pending-processes'],
      working: ['read-imports', 'look-up-stored-accounts', 'create-accounts'],
    });
  });

  it('refuse exactly the accounts of a batch that break them', async () => {
    expect([await post('holder', withReference('held')), await importOf('holder')]).toEqual([
      'accepted',
      'processed',
    ]);
    const numbers = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    const refused = ['many-3', 'many-17'];
    const answers = await Promise.all(
      numbers.map(async (number) => post(number, withReference(refused.includes(number) ? 'held' : number))),
    );
    expect(Object.fromEntries(numbers.map((number, index) => [number, answers[index]]))).toEqual(
      Object.fromEntries(
        numbers.map((number) => [
          number,
          refused.includes(number) ? 'import_process_failed_validation' : 'accepted',
        ]),
      ),
    );
    expect(
      await stored.sql(`SELECT FROM import_process WHERE external_account_number = ANY($1)`, [refused]),
    ).toEqual([]);
  });

  it('fail exactly the processes of a batch whose reference was taken since they were scheduled', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `late-${index}`);
    const held = 'late-7';
    for (const number of numbers) expect(await post(number, withReference(number))).toBe('accepted');
    expect([await post('sooner', withReference(held)), await importOf('sooner')]).toEqual([
      'accepted',
      'processed',
    ]);
    const outcomes = await importAccounts(test, ...numbers);
    expect(Object.fromEntries(numbers.map((number, index) => [number, outcomes[index]]))).toEqual(
      Object.fromEntries(
        numbers.map((number) => [number, number === held ? 'reference_already_exists' : 'processed']),
      ),
    );
  });

  it('find no charged period that does not overlap', async () => {
    expect([await post('spring', chargedIn('2025-03')), await importOf('spring')]).toEqual([
      'accepted',
      'processed',
    ]);
    const statements = await statementsOf(async () => {
      expect(await post('autumn', chargedIn('2025-10'))).toBe('accepted');
    });
    expect(statements).toEqual(['look-up-stored-accounts', 'write-pending-processes']);
    expect(await post('spring again', chargedIn('2025-03'))).toBe('import_process_failed_validation');
  });

  it('accept an account whose findings break no rule', async () => {
    const carer = {
      customers: [{ given_name: 'Ida', email: 'ida@example.org', portfolio_roles: ['CARER'] }],
    };
    expect([await post('one', carer), await importOf('one')]).toEqual(['accepted', 'processed']);
    let ends: string[] = [];
    const statements = await statementsOf(async () => {
      ends = [await post('two', carer), await importOf('two')];
    });
    expect({ ends, statements }).toEqual({
      ends: ['accepted', 'processed'],
      statements: [
        'look-up-stored-accounts',
        'write-pending-processes',
        'read-imports',
        'read-shared-values',
        'look-up-stored-accounts',
        'create-accounts',
      ],
    });
    const executor = { ...carer.customers[0], portfolio_roles: ['EXECUTOR'] };
    expect(await post('three', { customers: [executor] })).toBe('import_process_failed_validation');
  });

  it('are all reported by a dry run from the findings of one statement', async () => {
    const taken = { ...withReference('all'), debts: [{ cais_reference: 'CAIS-ALL' }] };
    const payload = account('late breach');
    await scheduleAccount(test, test.caller, { payload, task_params: { is_dry_run: true } });
    await stored.sql(
      `UPDATE import_process_payload SET payload = $1 FROM import_process process
       WHERE process.id = process_id AND external_account_number = 'late breach'`,
      [JSON.stringify(account('late breach', taken))],
    );
    expect([await post('holder of all', taken), await importOf('holder of all')]).toEqual([
      'accepted',
      'processed',
    ]);
    const statements = await statementsOf(async () => {
      expect(await importOf('late breach')).toBe('import_process_failed_validation');
    });
    expect(statements).toEqual(['read-imports', 'look-up-stored-accounts', 'end-imports']);
    const [row] = await stored.sql<{ status: string; detail: string; fields: { code: string }[] }>(
      `SELECT status, error_detail AS detail, error_fields AS fields FROM import_process
       WHERE external_account_number = 'late breach'`,
    );
    expect(row?.status).toBe('DRY_RUN_ERRORED');
    expect(row?.detail).toContain('references.0.value: reference_already_exists');
    expect(row?.detail).toContain('debts.0.cais_reference: cais_reference_already_in_use_on_another_account');
    expect(row?.fields.map(({ code }) => code).toSorted()).toEqual([
      'cais_reference_already_in_use_on_another_account',
      'reference_already_exists',
    ]);
  });

  it('are reported with other errors of an account, also if the caller leaves them to a batch', async () => {
    const notes = [{ document_paths: [{ document_path: '../outside.pdf' }] }];
    const payload = account('two errors', { ...withReference('all'), notes });
    const validation = test.app.get(AccountValidation);
    const supplier = await test.app.get(ImportSupplierDirectory).find(test.organisationId, 'LEGACY');
    for (const check of ['check', 'checkPayload'] as const) {
      const checked = await validation[check](supplier, payload);
      const codes = checked.ok ? [] : checked.errors.map(({ code }) => code);
      expect(codes.toSorted()).toEqual(['invalid', 'reference_already_exists']);
    }
  });
});
