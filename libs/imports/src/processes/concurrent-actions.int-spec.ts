import { Database } from '@portage/platform';
import {
  insertProcesses,
  StoredProcesses,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { CancelImport } from './cancel-import';
import { SteerImportProcesses } from './steer-import-processes';
import type { ImportProcessStatus } from './status';
import type { SteeringAction } from './steering';

const test = useApplication('postgres', {}, WITHOUT_CACHES);
const stored = new StoredProcesses(test);

let next = 0;
/** Inserts a process with a status. Returns its account number. */
async function insert(status: ImportProcessStatus): Promise<string> {
  const number = `CONCURRENT-${next++}`;
  const error_code = status === 'ERRORED' ? `'error'` : 'NULL';
  const columns = { external_account_number: `'${number}'`, status: `'${status}'`, error_code };
  await stored.sql(insertProcesses('generate_series(1, 1)', columns));
  return number;
}

/** Begins `actions` while another transaction holds the process, and has it end with `status`. */
async function whileChanging<Result>(
  number: string,
  status: ImportProcessStatus,
  actions: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  let results: Promise<PromiseSettledResult<Result>[]> = Promise.resolve([]);
  await test.app.get(Database).transaction(async (executor) => {
    await executor.run(
      {
        name: 'change-process',
        text: `UPDATE import_process SET status = $2, error_code = CASE WHEN $2 = 'ERRORED' THEN 'error' END
          WHERE external_account_number = $1`,
      },
      [number, status],
    );
    results = Promise.allSettled(actions.map(async (action) => action()));
    await test.untilWaiting(actions.length);
  });
  return results;
}

const cancel = (number: string) => async () =>
  (await test.app.get(CancelImport).cancel(test.caller, 'LEGACY', number)).status;
const steer = (action: SteeringAction, number: string) => async () =>
  (await test.app.get(SteerImportProcesses).steerOne(action, 'LEGACY', number)).steered;

describe('an action on a process that changes at the same time', () => {
  it('finds it cancelled, if another request has cancelled it', async () => {
    const number = await insert('PENDING');
    const results = await whileChanging(
      number,
      'CANCELLED',
      Array<ReturnType<typeof cancel>>(3).fill(cancel(number)),
    );
    expect(results).toEqual(Array(3).fill({ status: 'fulfilled', value: 'CANCELLED' }));
  });

  it('refuses to cancel what has begun or ended since', async () => {
    for (const [status, code] of [
      ['IN_PROGRESS', 'import_process_in_progress'],
      ['ERRORED', 'import_process_not_pending'],
    ] as const) {
      const number = await insert('PENDING');
      const [result] = await whileChanging(number, status, [cancel(number)]);
      expect(result).toMatchObject({ status: 'rejected', reason: { code } });
    }
  });

  it.each([
    ['cancel', 'PENDING', 'CANCELLED'],
    ['cancel', 'PENDING', 'IN_PROGRESS'],
    ['retry', 'ERRORED', 'PENDING'],
    ['release', 'DRY_RUN_SUCCEEDED', 'PENDING'],
  ] as const)('is refused by its state after the change: %s of %s that is %s', async (action, from, to) => {
    const number = await insert(from);
    const [result] = await whileChanging(number, to, [steer(action, number)]);
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'operation_refused' } });
    expect((result as PromiseRejectedResult).reason).toHaveProperty(
      'detail',
      expect.stringContaining(`is ${to}.`),
    );
  });

  it('is performed if the change has led to a state from which it is allowed', async () => {
    const number = await insert('PENDING');
    expect(await whileChanging(number, 'ERRORED', [steer('retry', number)])).toEqual([
      { status: 'fulfilled', value: 1 },
    ]);
  });

  it('counts the processes of a selection by their states after the change', async () => {
    const number = await insert('ERRORED');
    const [result] = await whileChanging(number, 'CANCELLED', [
      async () =>
        test.app
          .get(SteerImportProcesses)
          .steer('retry', { supplier: 'LEGACY', externalAccountNumbers: [number] }),
    ]);
    expect(result).toMatchObject({ value: { steered: 0, skipped: { CANCELLED: 1 } } });
  });
});
