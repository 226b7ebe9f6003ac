import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { DataSource } from 'typeorm';
import { PayloadDigests1795331400000 } from './1795331400000-payload-digests';

describe('the migration to trimmed identifiers', () => {
  let test: TestApplication;
  let stored: StoredProcesses;

  beforeAll(async () => {
    test = await startApplication();
    stored = new StoredProcesses(test);
  });
  afterAll(async () => {
    await test.app.close();
  });

  it('trims stored identifiers, except those that would be equal', async () => {
    const names = ['\u00a0A-1 ', ' B', 'B  ', 'C'];
    for (const name of names) {
      const { number } = await stored.inState('PROCESSED');
      await stored.sql(
        `UPDATE import_process SET external_account_number = $2, external_identifier = $2
         WHERE external_account_number = $1`,
        [number, name],
      );
      await stored.sql(
        'UPDATE account SET external_account_number = $2, external_identifier = $2 WHERE external_account_number = $1',
        [number, name],
      );
    }
    const migration = new PayloadDigests1795331400000();
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      await migration.down(runner);
      await migration.up(runner);
    } finally {
      await runner.release();
    }
    const numbers = await stored.sql<{ numbers: string[] }>(
      `SELECT array_agg(DISTINCT ARRAY[process.external_account_number, process.external_identifier,
         account.external_account_number, account.external_identifier]) AS numbers
       FROM import_process process JOIN account ON account.process_id = process.id`,
      [],
    );
    const expected = ['A-1', ' B', 'B  ', 'C'];
    expect(numbers[0]?.numbers.toSorted()).toEqual(expected.map((one) => [one, one, one, one]).toSorted());
  });
});
