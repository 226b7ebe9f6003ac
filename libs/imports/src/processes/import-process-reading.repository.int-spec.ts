import { StoredProcesses, useApplication } from '@portage/testing/application';
import { type ListedKind, ListImportProcesses } from './list-import-processes';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from './status';
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

/** The account numbers of a list, which is read in pages. */
async function readList(
  kind: ListedKind,
  statuses: readonly ImportProcessStatus[] | undefined,
): Promise<string[]> {
  const lists = test.app.get(ListImportProcesses);
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const { organisationId } = test;
    const page = await lists.page(
      { kind, organisationId, supplierCode: 'LEGACY', statuses, include: [], after },
      2,
    );
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map((item) => item.external_account_number));
    after = page.next;
  } while (after !== undefined);
  return seen;
}

describe('listing', () => {
  it.each<[ListedKind, ImportProcessStatus[] | undefined, ImportProcessStatus[]]>([
    [
      'all',
      undefined,
      ['PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'PROCESSED', 'ERRORED'],
    ],
    ['pending', undefined, ['PENDING', 'IN_PROGRESS', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'ERRORED']],
    ['imported', undefined, ['PROCESSED']],
    ['all', ['ERRORED', 'PENDING'], ['PENDING', 'ERRORED']],
    ['all', ['CANCELLED'], ['CANCELLED']],
    ['pending', ['PROCESSED', 'DRY_RUN_ERRORED', 'CANCELLED'], ['DRY_RUN_ERRORED', 'CANCELLED']],
    ['imported', ['PROCESSED', 'ERRORED'], ['PROCESSED']],
    ['all', [], []],
  ])(
    '%s with the statuses %j returns %j, in the order of creation, in pages',
    async (kind, statuses, expected) => {
      for (const status of IMPORT_PROCESS_STATUSES)
        await stored.inState(status, { externalAccountNumber: status });
      expect(await readList(kind, statuses)).toEqual(expected);
    },
  );

  it('sorts ids as numbers, so that the tenth process follows the ninth', async () => {
    const numbers = Array.from({ length: 12 }, (_, place) => `N-${place}`);
    for (const externalAccountNumber of numbers) await stored.inState('PENDING', { externalAccountNumber });
    const everything = { supplierId: test.supplier.id, statuses: ['PENDING'] } as const;
    const listed = await processes.list(everything, '0', 100);
    expect(listed.map((one) => one.externalAccountNumber)).toEqual(numbers);
    expect(await processes.idOf(test.supplier.id, 'N-9')).toBe(listed[9]!.processId);
  });
});
