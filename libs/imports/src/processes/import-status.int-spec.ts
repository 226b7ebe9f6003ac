import { type CREATION_MODES, ImportSuppliers } from '@portage/tenants';
import { StoredProcesses, useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { ImportStatus } from './import-status';
import { SteerImportProcesses } from './steer-import-processes';

const test = useApplication('postgres', {}, WITHOUT_CACHES);
const stored = new StoredProcesses(test);

const v1 = async (number: string) =>
  (await test.app.get(ImportStatus).readV1(test.organisationId, 'LEGACY', number)).view;
const v2 = async (number: string) =>
  (await test.app.get(ImportStatus).readV2(test.organisationId, 'LEGACY', number)).view;
const mode = async (creationMode: (typeof CREATION_MODES)[number]) =>
  test.app.get(ImportSuppliers).set('LEGACY', { creationMode });

describe('the v1 status', () => {
  it.each([
    ['direct', 'IN_PROGRESS'],
    ['dry-run-first', 'IN_PROGRESS'],
    ['staged', 'UNKNOWN'],
  ] as const)(
    'a process that is queued or running, in the mode %s, is %s',
    async (creationMode, expected) => {
      await mode(creationMode);
      for (const status of ['PENDING', 'IN_PROGRESS'] as const) {
        const { number } = await stored.inState(status);
        expect(await v1(number)).toEqual({ status: expected, platform_account_number: '' });
        const dryRun = await stored.inState(status, { isDryRun: true });
        expect(await v1(dryRun.number)).toEqual({ status: 'UNKNOWN', platform_account_number: '' });
      }
    },
  );

  it('a released account is IN_PROGRESS, and COMPLETED once it exists', async () => {
    await mode('staged');
    const { number } = await stored.inState('DRY_RUN_SUCCEEDED', { isDryRun: false });
    expect(await v1(number)).toMatchObject({ status: 'UNKNOWN' });
    await test.app.get(SteerImportProcesses).steerOne('release', 'LEGACY', number);
    expect(await v1(number)).toMatchObject({ status: 'IN_PROGRESS' });
    const processed = await stored.inState('PROCESSED');
    expect(await v1(processed.number)).toEqual({
      status: 'COMPLETED',
      platform_account_number: expect.stringMatching(/^A-[0-9a-f]{8}$/),
    });
  });

  it.each(['DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED'] as const)(
    'a process that is %s has the v1 status UNKNOWN',
    async (status) => {
      await mode('direct');
      const { number } = await stored.inState(status);
      expect(await v1(number)).toEqual({ status: 'UNKNOWN', platform_account_number: '' });
    },
  );
});

describe('the v2 status', () => {
  const error = { code: 'error', detail: 'Words.', domain: 'import_process' };

  it.each([
    ['PENDING', 'CREATED', null],
    ['IN_PROGRESS', 'CREATED', null],
    ['DRY_RUN_SUCCEEDED', 'CREATED', null],
    ['CANCELLED', 'CREATED', null],
    ['DRY_RUN_ERRORED', 'ERRORED', error],
    ['ERRORED', 'ERRORED', error],
    ['PROCESSED', 'PROCESSED', null],
  ] as const)(
    'a process that is %s shows the event %s, and an error where there is one',
    async (status, event, latest) => {
      const { number } = await stored.inState(status);
      expect(await v2(number)).toMatchObject({
        status,
        platform_identifier: status === 'PROCESSED' ? expect.stringMatching(/^A-/) : null,
        latest_event: { event: `EVENT_ACCOUNT_IMPORT_PROCESS_${event}`, data: latest },
        latest_error: latest,
      });
    },
  );

  it('has no error once the process is scheduled again', async () => {
    await mode('direct');
    const { number } = await stored.inState('ERRORED');
    await test.app.get(SteerImportProcesses).steerOne('retry', 'LEGACY', number);
    expect(await v2(number)).toMatchObject({
      status: 'PENDING',
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', data: null },
      latest_error: null,
    });
  });
});
