import { Database } from '@portage/platform';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { IMPORT_PROCESS_STATUSES } from './status';
import { ImportProcessStagingRepository } from './import-process-staging.repository';
import { StaleImportRepository } from './stale-import.repository';

const test = useApplication();
const stored = new StoredProcesses(test);
let staleImports: StaleImportRepository;

beforeAll(async () => {
  staleImports = test.app.get(StaleImportRepository);
});
beforeEach(async () => {
  await stored.removeAll();
});

describe('sweeping', () => {
  const MIN_AGE_MS = 30_000;
  const ageAll = async () =>
    stored.sql("UPDATE import_process SET enqueued_at = now() - interval '31 seconds'");

  it('takes unfinished processes that were enqueued long ago, and no others', async () => {
    for (const status of IMPORT_PROCESS_STATUSES)
      await stored.inState(status, { externalAccountNumber: status });
    expect(await staleImports.take(MIN_AGE_MS, 100)).toEqual([]);
    await ageAll();
    const taken = await staleImports.take(MIN_AGE_MS, 100);
    expect(taken.map((one) => one.externalAccountNumber).sort()).toEqual(['IN_PROGRESS', 'PENDING']);
    expect(taken[0]).toMatchObject({ version: 1, supplierCode: 'LEGACY', processId: expect.any(String) });
    expect(await staleImports.take(MIN_AGE_MS, 100)).toEqual([]);
  });

  it('skips processes that wait for their schedule window', async () => {
    await stored.inState('PENDING', { scheduleWindowStart: new Date(Date.now() + 60_000).toISOString() });
    expect(await staleImports.take(0, 100)).toEqual([]);
  });

  it('gives each process to one of several concurrent sweepers', async () => {
    for (let place = 0; place < 30; place += 1) await stored.inState('PENDING');
    await ageAll();
    const taken = await Promise.all(Array.from({ length: 5 }, async () => staleImports.take(MIN_AGE_MS, 10)));
    const numbers = taken.flat().map((one) => one.externalAccountNumber);
    expect(new Set(numbers).size).toBe(numbers.length);
    const rest = await staleImports.take(MIN_AGE_MS, 100);
    expect(numbers.length + rest.length).toBe(30);
    expect(taken.every((part) => part.length <= 10)).toBe(true);
  });

  it('skips a locked process without waiting', async () => {
    await stored.inState('PENDING', { externalAccountNumber: 'locked' });
    await stored.inState('PENDING', { externalAccountNumber: 'free' });
    await ageAll();
    await test.app.get(Database).transaction(async (executor) => {
      await test.app.get(ImportProcessStagingRepository).lock(executor, test.supplier.id, 'locked');
      const taken = await staleImports.take(MIN_AGE_MS, 100);
      expect(taken.map((one) => one.externalAccountNumber)).toEqual(['free']);
    });
  });
});
