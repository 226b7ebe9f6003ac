import { ImportAccounts, type ProcessVersion } from '@portage/imports';
import { DataSource } from 'typeorm';
import type { TestApplication } from './test-application';

type Test = Pick<TestApplication, 'app'>;

/** The versions of the processes of these accounts, in their order. */
export async function processesOf(test: Test, ...numbers: string[]): Promise<ProcessVersion[]> {
  return test.app.get(DataSource).query<ProcessVersion[]>(
    `SELECT id AS "processId", version FROM unnest($1::text[]) WITH ORDINALITY AS given (number, place)
     JOIN import_process ON external_account_number = number ORDER BY place`,
    [numbers],
  );
}

/**
 * Imports these accounts as one batch, as a worker does in its first run.
 *
 * @returns the kind of each outcome, or the code of its error
 */
export async function importAccounts(test: Test, ...numbers: string[]): Promise<string[]> {
  const versions = await processesOf(test, ...numbers);
  const outcomes = await test.app.get(ImportAccounts).import(versions, { isFirstRun: true });
  return outcomes.map((outcome) => (outcome.kind === 'errored' ? outcome.code : outcome.kind));
}

/** Imports and corrects all that waits, as one batch. */
export async function importPending({ app }: Test): Promise<void> {
  const versions = await app.get(DataSource).query<ProcessVersion[]>(
    `SELECT id AS "processId", version FROM import_process WHERE status = 'PENDING'
     UNION ALL SELECT process_id, version FROM import_process_correction WHERE status = 'PENDING'`,
  );
  await app.get(ImportAccounts).import(versions, { isFirstRun: true });
}
