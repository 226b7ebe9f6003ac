import { startApplication, StoredProcesses, type TestApplication } from '@portage/testing/application';
import { InspectImportProcesses } from './inspect-import-processes';

let test: TestApplication;
let inspecting: InspectImportProcesses;

beforeAll(async () => {
  test = await startApplication();
  inspecting = test.app.get(InspectImportProcesses);
  await new StoredProcesses(test).sql(
    `INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
       status, latest_event)
     SELECT $1, 'N-' || n, 'N-' || n, '', false, CASE WHEN n % 2 = 0 THEN 'PENDING' ELSE 'CANCELLED' END, 'CREATED'
     FROM generate_series(1, 250) n`,
    [test.supplier.id],
  );
});
afterAll(async () => {
  await test.app.close();
});

describe('the process list of an operator', () => {
  it.each([
    [{}, [100, 100, 50], 'N-1', 'N-250'],
    [{ status: 'PENDING' as const }, [100, 25], 'N-2', 'N-250'],
    [{ status: ['PENDING', 'CANCELLED'] as const }, [100, 100, 50], 'N-1', 'N-250'],
    [{ errorCode: 'error' }, [], undefined, undefined],
  ])('%j yields chunks, in the order of creation', async (filter, chunks, first, last) => {
    const sizes: number[] = [];
    const numbers: string[] = [];
    for await (const chunk of inspecting.list('LEGACY', filter, 100)) {
      sizes.push(chunk.length);
      numbers.push(...chunk.map(({ externalAccountNumber }) => externalAccountNumber));
    }
    expect([sizes, numbers[0], numbers.at(-1)]).toEqual([chunks, first, last]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('is refused for an unknown supplier', async () => {
    await expect(inspecting.list('NOBODY', {}).next()).rejects.toThrow('There is no supplier NOBODY');
  });
});
