import { StoredProcesses, useApplication } from '@portage/testing/application';
import { IMPORT_PROCESS_STATUSES } from './status';
import {
  ImportProcessReadingRepository,
  type ProcessName,
  type ProcessNaming,
} from './import-process-reading.repository';

const test = useApplication();
const stored = new StoredProcesses(test);
let processes: ImportProcessReadingRepository;

beforeAll(async () => {
  processes = test.app.get(ImportProcessReadingRepository);
});
beforeEach(async () => {
  await stored.removeAll();
});

describe('the views of processes', () => {
  it('are returned in the order of the names, repeated for repeated names, and undefined for other suppliers', async () => {
    await stored.inState('PROCESSED', { externalAccountNumber: 'N-1', externalIdentifier: 'one, "quoted"' });
    await stored.inState('ERRORED', { externalAccountNumber: 'N-2', externalIdentifier: 'N-1' });
    const supplierId = test.supplier.id;
    const statuses = async (naming: ProcessNaming, names: readonly ProcessName[]) =>
      (await processes.views(naming, names)).map((view) => view?.status);
    const named = ['N-2', 'N-1', 'none', 'one, "quoted"', 'N-1'].map((name) => ({ supplierId, name }));
    expect(await statuses('external_account_number', named)).toEqual([
      'ERRORED',
      'PROCESSED',
      undefined,
      undefined,
      'PROCESSED',
    ]);
    expect(await statuses('external_identifier', named)).toEqual([
      undefined,
      'ERRORED',
      undefined,
      'PROCESSED',
      'ERRORED',
    ]);
    expect(await statuses('external_account_number', [{ supplierId: supplierId + 1, name: 'N-1' }])).toEqual([
      undefined,
    ]);
  });
});

describe('listing', () => {
  it.each([
    ['all', ['PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'PROCESSED', 'ERRORED']],
    ['pending', ['PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'ERRORED']],
    ['imported', ['PROCESSED']],
  ] as const)('%s: returns the processes in the order of creation, in chunks', async (kind, expected) => {
    for (const status of IMPORT_PROCESS_STATUSES)
      await stored.inState(status, { externalAccountNumber: status });
    const seen: string[] = [];
    for (let after = '0'; ;) {
      const chunk = await processes.list(
        { kind, supplierId: test.supplier.id, statuses: undefined },
        after,
        2,
      );
      if (chunk.length === 0) break;
      expect(chunk.length).toBeLessThanOrEqual(2);
      seen.push(...chunk.map((one) => one.externalAccountNumber));
      after = chunk.at(-1)!.processId;
    }
    expect(seen).toEqual(expected);
  });

  it.each([
    ['all', ['ERRORED', 'PENDING'], ['PENDING', 'ERRORED']],
    ['all', ['CANCELLED'], ['CANCELLED']],
    ['pending', ['PROCESSED', 'DRY_RUN_ERRORED', 'CANCELLED'], ['DRY_RUN_ERRORED', 'CANCELLED']],
    ['imported', ['PROCESSED', 'ERRORED'], ['PROCESSED']],
    ['all', [], []],
  ] as const)(
    '%s with the statuses %j returns %j, in the order of creation',
    async (kind, statuses, expected) => {
      for (const status of IMPORT_PROCESS_STATUSES)
        await stored.inState(status, { externalAccountNumber: status });
      const seen: string[] = [];
      for (let after = '0'; ;) {
        const chunk = await processes.list({ kind, supplierId: test.supplier.id, statuses }, after, 1);
        if (chunk.length === 0) break;
        seen.push(...chunk.map((one) => one.externalAccountNumber));
        after = chunk.at(-1)!.processId;
      }
      expect(seen).toEqual(expected);
    },
  );

  it('sorts ids as numbers, so that the tenth process follows the ninth', async () => {
    const numbers = Array.from({ length: 12 }, (_, place) => `N-${place}`);
    for (const externalAccountNumber of numbers) await stored.inState('PENDING', { externalAccountNumber });
    const everything = { kind: 'all', supplierId: test.supplier.id, statuses: undefined } as const;
    const listed = await processes.list(everything, '0', 100);
    expect(listed.map((one) => one.externalAccountNumber)).toEqual(numbers);
    expect(await processes.idOf(test.supplier.id, 'N-9')).toBe(listed[9]!.processId);
  });
});
