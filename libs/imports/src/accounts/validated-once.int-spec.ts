import { ImportSuppliers, OperatorRules } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  openSubmission,
  processesOf,
  scheduleAccount,
  uploadAccounts,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import type { ProcessVersion } from '../processes/pending-process.repository';
import { ImportAccounts } from './import-accounts';
import type { ImportOutcome } from './import-outcomes';

const test = useApplication('postgres', {}, WITHOUT_CACHES);
let rules: OperatorRules;

beforeAll(async () => {
  rules = test.app.get(OperatorRules);
});
beforeEach(async () => {
  await configure(['PORTAL']);
  await test.app.get(ImportSuppliers).set('LEGACY', { timeZone: 'UTC' });
});

/** Configures the namespaces that references of accounts may have. */
async function configure(account_reference_namespaces: string[]): Promise<void> {
  await rules.importReferenceData(JSON.stringify({ account_reference_namespaces }));
}

let next = 0;
const withReference = (namespace: string, number = `V-${next++}`) =>
  account(number, { references: [{ namespace, value: number }] });

async function processOf({ external_account_number }: Record<string, unknown>): Promise<ProcessVersion> {
  const [version] = await processesOf(test, external_account_number as string);
  return version!;
}

async function post(payload: Record<string, unknown>): Promise<ProcessVersion> {
  await scheduleAccount(test, test.caller, payload);
  return processOf(payload);
}

async function upload(payload: Record<string, unknown>): Promise<ProcessVersion> {
  await uploadAccounts(test, await openSubmission(test), [payload]);
  return processOf(payload);
}

/** Breaks a rule behind the back of the API, so that the outcome shows whether the worker runs the rules. */
async function breakRule({ processId }: ProcessVersion): Promise<void> {
  await test.sql(
    `UPDATE import_process_payload SET payload = replace(payload::text, 'PORTAL', 'BROKEN')::json WHERE process_id = $1`,
    [processId],
  );
}

async function run({ processId, version }: ProcessVersion): Promise<ImportOutcome> {
  const [outcome] = await test.app.get(ImportAccounts).import([{ processId, version }]);
  return outcome!;
}

const PROCESSED = { kind: 'processed' };
const REFUSED = { kind: 'errored', code: 'invalid_reference_namespace' };

describe.each([
  ['posted by itself', post],
  ['uploaded to a submission', upload],
])('the rules for an account that was %s', (_, store) => {
  it('are not run again by the worker if nothing has changed', async () => {
    const job = await store(withReference('PORTAL'));
    await breakRule(job);
    expect(await run(job)).toEqual(PROCESSED);
  });

  it('are run again if a list has changed', async () => {
    const job = await store(withReference('PORTAL'));
    await configure(['OTHER']);
    expect(await run(job)).toEqual(REFUSED);
  });

  it.each([
    ['an instance setting', async () => rules.setInstanceSettings(['check_file_paths=true'])],
    ['a setting', async () => test.app.get(ImportSuppliers).set('LEGACY', { timeZone: 'Europe/London' })],
    // Stands for another release, whose digests are different.
    [
      'the release',
      async () => test.sql('UPDATE import_process_payload SET context_digest = context_digest + 1'),
    ],
  ])('are run again if %s has changed', async (_, change) => {
    const job = await store(withReference('PORTAL'));
    await breakRule(job);
    await change();
    try {
      expect(await run(job)).toEqual(REFUSED);
    } finally {
      await rules.setInstanceSettings(['check_file_paths=']);
    }
  });
});

it('an account that is posted again is validated for its new version', async () => {
  const first = withReference('PORTAL');
  await post(first);
  const job = await post({ ...first, references: [{ namespace: 'PORTAL', value: 'changed' }] });
  expect(job.version).toBe(2);
  await breakRule(job);
  expect(await run(job)).toEqual(PROCESSED);
});
