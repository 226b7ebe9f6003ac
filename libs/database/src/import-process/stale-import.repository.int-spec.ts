import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { IMPORT_PROCESS_STATUSES } from '@portage/domain';
import { Database } from '../connection/database';
import { ImportProcessSchedulingRepository } from './import-process-scheduling.repository';
import { StaleImportRepository } from './stale-import.repository';

let test: TestApplication;
let stored: StoredProcesses;
let unfinished: StaleImportRepository;

beforeAll(async () => {
  test = await startApplication();
  stored = new StoredProcesses(test);
  unfinished = test.app.get(StaleImportRepository);
});
afterAll(async () => {
  await test.app.close();
});
beforeEach(async () => {
  await stored.removeAll();
});

describe('sweeping', () => {
  const LATE = 30_000;
  const old = async () => stored.sql("UPDATE import_process SET enqueued_at = now() - interval '31 seconds'");

  it('takes what is unfinished and was enqueued long ago, and nothing else', async () => {
    for (const status of IMPORT_PROCESS_STATUSES)
      await stored.inState(status, { externalAccountNumber: status });
    expect(await unfinished.take(LATE, 100)).toEqual([]);
    await old();
    const taken = await unfinished.take(LATE, 100);
    expect(taken.map((one) => one.externalAccountNumber).sort()).toEqual(['IN_PROGRESS', 'PENDING']);
    expect(taken[0]).toMatchObject({ version: 1, supplierCode: 'LEGACY', processId: expect.any(String) });
    expect(await unfinished.take(LATE, 100)).toEqual([]);
  });

  it('leaves alone what waits for its window', async () => {
    await stored.inState('PENDING', { scheduleWindowStart: new Date(Date.now() + 60_000) });
    expect(await unfinished.take(0, 100)).toEqual([]);
  });

  it('gives several sweepers at once different processes, and each process to one', async () => {
    for (let place = 0; place < 30; place += 1) await stored.inState('PENDING');
    await old();
    const taken = await Promise.all(Array.from({ length: 5 }, async () => unfinished.take(LATE, 10)));
    const numbers = taken.flat().map((one) => one.externalAccountNumber);
    expect(new Set(numbers).size).toBe(numbers.length);
    const rest = await unfinished.take(LATE, 100);
    expect(numbers.length + rest.length).toBe(30);
    expect(taken.every((part) => part.length <= 10)).toBe(true);
  });

  it('does not wait for a process that somebody has locked', async () => {
    await stored.inState('PENDING', { externalAccountNumber: 'locked' });
    await stored.inState('PENDING', { externalAccountNumber: 'free' });
    await old();
    await test.app.get(Database).transaction(async (executor) => {
      await test.app.get(ImportProcessSchedulingRepository).lock(executor, test.supplier.id, 'locked');
      const taken = await unfinished.take(LATE, 100);
      expect(taken.map((one) => one.externalAccountNumber)).toEqual(['free']);
    });
  });
});
