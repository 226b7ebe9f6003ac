import { startApplication, type TestApplication } from '../../../../test/support/application';
import { StoredProcesses } from '../../../../test/support/import-processes';
import { IMPORT_PROCESS_STATUSES } from '@portage/domain';
import { ImportProcessReadingRepository } from './import-process-reading.repository';

let test: TestApplication;
let stored: StoredProcesses;
let processes: ImportProcessReadingRepository;

beforeAll(async () => {
  test = await startApplication();
  stored = new StoredProcesses(test);
  processes = test.app.get(ImportProcessReadingRepository);
});
afterAll(async () => {
  await test.app.close();
});
beforeEach(async () => {
  await stored.removeAll();
});

describe('listing', () => {
  it.each([
    ['all', ['PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'PROCESSED', 'ERRORED']],
    ['pending', ['PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'ERRORED']],
    ['imported', ['PROCESSED']],
  ] as const)('%s: in the order of creation, a chunk at a time', async (kind, expected) => {
    for (const status of IMPORT_PROCESS_STATUSES)
      await stored.inState(status, { externalAccountNumber: status });
    const seen: string[] = [];
    for (let after = '0'; ;) {
      const chunk = await processes.list(kind, test.supplier.id, after, 2);
      if (chunk.length === 0) break;
      expect(chunk.length).toBeLessThanOrEqual(2);
      seen.push(...chunk.map((one) => one.externalAccountNumber));
      after = chunk.at(-1)!.processId;
    }
    expect(seen).toEqual(expected);
  });

  it('follows the order of creation beyond ten processes, where texts would not', async () => {
    const numbers = Array.from({ length: 12 }, (_, place) => `N-${place}`);
    for (const externalAccountNumber of numbers) await stored.inState('PENDING', { externalAccountNumber });
    const listed = await processes.list('all', test.supplier.id, '0', 100);
    expect(listed.map((one) => one.externalAccountNumber)).toEqual(numbers);
    expect(await processes.idOf(test.supplier.id, 'N-9')).toBe(listed[9]!.processId);
  });
});
