import { type ImportProcessStatus, SteerImportProcesses } from '@portage/imports';
import { SearchAudit, ViewProcess } from '@portage/operators';
import { account } from '@portage/testing';
import {
  importAccounts,
  mark,
  MARKER,
  scheduleAccount,
  StoredProcesses,
  tablesWith,
  useApplication,
} from '@portage/testing/application';
import { EraseProcess } from './erase-process';

const test = useApplication('postgres', { PORTAGE_OPERATOR: 'Ada' });
const processes = new StoredProcesses(test);

const erase = async (number: string) => test.app.get(EraseProcess).erase('LEGACY', number);

/** Schedules an account with markers, with an idempotency key, and processes it: it ends with an error. */
async function erroredProcess(number: string): Promise<Record<string, unknown>> {
  const payload = account(number, {
    external_identifier: mark(),
    nickname: mark(),
    customers: [{ given_name: mark(), family_name: mark() }],
    [`undocumented_${mark()}`]: mark(),
  });
  await scheduleAccount(test, test.caller, payload, mark());
  await processes.sql(`UPDATE import_supplier SET status = 'Complete'`);
  await importAccounts(test, number);
  await processes.sql(`UPDATE import_supplier SET status = 'Ongoing'`);
  // As a rule that quotes the account.
  await processes.sql(
    'UPDATE import_process SET error_detail = $1, error_fields = $2 WHERE external_account_number = $3',
    [`"${mark()}" is not valid.`, JSON.stringify([{ attr: `sent.${mark()}`, code: 'invalid' }]), number],
  );
  return payload;
}

describe('an erased process', () => {
  it('leaves no personal data in any table, and keeps its number, status and events', async () => {
    await erroredProcess('E-1');
    expect(await tablesWith(test, MARKER.source)).toEqual([
      'idempotency_key',
      'import_process',
      'import_process_payload',
    ]);
    expect(await erase('E-1')).toBe(true);
    expect(await tablesWith(test, MARKER.source)).toEqual([]);
    const process = await test.app.get(ViewProcess).readByNumber('LEGACY', 'E-1', true);
    expect(process).toMatchObject({
      status: 'ERRORED',
      error: {
        code: 'import_supplier_migration_not_ongoing',
        detail: 'The details were erased with the account data.',
        fields: [],
      },
      external_identifier: null,
    });
    expect(process.timeline.map(({ event, actor }) => [event, actor])).toEqual([
      ['SCHEDULED', 'api-key:test'],
      ['ERRORED', null],
      ['ERASED', 'operator:Ada'],
    ]);
  });

  it('is audited once, and can be erased again', async () => {
    await processes.inState('CANCELLED', { externalAccountNumber: 'E-2' });
    expect([await erase('E-2'), await erase('E-2')]).toEqual([true, false]);
    const { items } = await test.app.get(SearchAudit).search({ action: 'process.erase' }, { limit: 100 });
    expect(items.filter(({ subject }) => subject === 'E-2')).toMatchObject([
      { actor: 'operator:Ada', import_supplier: 'LEGACY', details: {} },
    ]);
  });

  it('can be neither retried nor released', async () => {
    await processes.inState('ERRORED', { externalAccountNumber: 'E-3' });
    await processes.inState('DRY_RUN_SUCCEEDED', { externalAccountNumber: 'E-4', isDryRun: false });
    await erase('E-3');
    await erase('E-4');
    const steering = test.app.get(SteerImportProcesses);
    await expect(steering.steerOne('retry', 'LEGACY', 'E-3')).rejects.toThrow('was erased.');
    await expect(steering.steerOne('release', 'LEGACY', 'E-4')).rejects.toThrow('was erased.');
    expect(await steering.steer('release', { supplier: 'LEGACY' })).toMatchObject({
      steered: 0,
      skipped: expect.objectContaining({ payload_erased: 1 }),
    });
  });

  it('is imported when its account is posted again, and can then be erased again', async () => {
    const payload = await erroredProcess('E-5');
    await erase('E-5');
    await scheduleAccount(test, test.caller, payload, 'another key');
    const [process] = await processes.sql<{ identifier: string }>(
      `SELECT external_identifier AS identifier FROM import_process WHERE external_account_number = 'E-5'`,
    );
    expect(process?.identifier).toBe(payload['external_identifier']);
    expect(await importAccounts(test, 'E-5')).toEqual(['processed']);
    await expect(erase('E-5')).rejects.toThrow(/became the account A-\w+\. Erase it with: account erase A-/);
  });

  it.each<[ImportProcessStatus, string]>([
    ['PENDING', 'is PENDING. Cancel it first with: process cancel'],
    ['IN_PROGRESS', 'is IN_PROGRESS. Wait until it has ended.'],
    ['PROCESSED', 'became the account A-'],
  ])('cannot be %s', async (status, sentence) => {
    const { number } = await processes.inState(status);
    await expect(erase(number)).rejects.toThrow(sentence);
    expect(
      await processes.sql(
        `SELECT 1 FROM import_process_payload JOIN import_process ON id = process_id
         WHERE external_account_number = $1 AND payload::text <> '{}'`,
        [number],
      ),
    ).toHaveLength(1);
  });

  it('must exist', async () => {
    await expect(erase('never')).rejects.toThrow(
      'Supplier LEGACY has no process for the account number never.',
    );
    await expect(test.app.get(EraseProcess).erase('UNKNOWN', 'E-1')).rejects.toThrow(
      'There is no supplier UNKNOWN',
    );
  });
});
