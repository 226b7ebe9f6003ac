import { Database, type ProcessVersion } from '@portage/database';
import { PortageError } from '@portage/domain';
import { account } from '@portage/testing';
import {
  startApplication,
  StoredProcesses,
  supplyCharge,
  type TestApplication,
} from '@portage/testing/application';
import { ImportAccount } from './import-account';
import { ScheduleAccount } from './schedule-account';

let test: TestApplication;
let stored: StoredProcesses;

beforeAll(async () => {
  test = await startApplication();
  stored = new StoredProcesses(test);
});
afterAll(async () => {
  await test.app.close();
});

const withReference = (value: string) => ({ references: [{ namespace: 'portal', value }] });
const chargedIn = (month: string) => ({
  current_statement_transactions: [
    supplyCharge(`charge of ${month}`, '1000000000110', `${month}-01`, `${month}-28`),
  ],
});

/** `accepted`, or the code that it is refused with. */
async function post(number: string, more: object = {}): Promise<string> {
  try {
    await test.app.get(ScheduleAccount).schedule(test.caller, account(number, more));
    return 'accepted';
  } catch (error) {
    if (error instanceof PortageError) return error.code;
    throw error;
  }
}

async function importOf(number: string): Promise<string> {
  const [job] = await stored.sql<ProcessVersion>(
    'SELECT id AS "processId", version FROM import_process WHERE external_account_number = $1',
    [number],
  );
  const outcome = await test.app.get(ImportAccount).run(job!, false);
  return outcome.kind === 'errored' ? outcome.code : outcome.kind;
}

/** Names of the statements outside transactions that `work` waits for. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const run = jest.spyOn(test.app.get(Database), 'run');
  try {
    await work();
    return run.mock.calls.map(([{ name }]) => name);
  } finally {
    run.mockRestore();
  }
}

describe('rules about stored accounts', () => {
  it('are looked after by the statements that write, one in the API and one more to start in the worker', async () => {
    const more = { ...withReference('free'), ...chargedIn('2025-06') };
    // What is remembered from now on.
    expect([await post('first'), await importOf('first')]).toEqual(['accepted', 'processed']);
    let ends: string[] = [];
    const posting = await statementsOf(async () => (ends = [await post('second', more)]));
    const working = await statementsOf(async () => (ends = [...ends, await importOf('second')]));
    expect({ ends, posting, working }).toEqual({
      ends: ['accepted', 'processed'],
      posting: ['insert-scheduled-imports'],
      working: ['start-imports', 'create-accounts'],
    });
  });

  it('refuse an account among many that are posted at once, and no other', async () => {
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

  it('end the process of an account among many whose reference was taken meanwhile, and no other', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `late-${index}`);
    const held = 'late-7';
    for (const number of numbers) expect(await post(number, withReference(number))).toBe('accepted');
    expect([await post('sooner', withReference(held)), await importOf('sooner')]).toEqual([
      'accepted',
      'processed',
    ]);
    const outcomes = await Promise.all(numbers.map(importOf));
    expect(Object.fromEntries(numbers.map((number, index) => [number, outcomes[index]]))).toEqual(
      Object.fromEntries(
        numbers.map((number) => [number, number === held ? 'reference_already_exists' : 'processed']),
      ),
    );
  });

  it('let an account pass for which something is found, but nothing that stands against it', async () => {
    expect([await post('spring', chargedIn('2025-03')), await importOf('spring')]).toEqual([
      'accepted',
      'processed',
    ]);
    expect([await post('autumn', chargedIn('2025-10')), await importOf('autumn')]).toEqual([
      'accepted',
      'processed',
    ]);
    expect(await post('spring again', chargedIn('2025-03'))).toBe('import_process_failed_validation');
  });
});
