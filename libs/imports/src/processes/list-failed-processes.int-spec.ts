import { insertProcesses, StoredProcesses, useApplication } from '@portage/testing/application';
import { ListFailedProcesses } from './list-failed-processes';

const test = useApplication();

it('yields each failed account of a supplier, in chunks', async () => {
  const stored = new StoredProcesses(test);
  const failed = test.app.get(ListFailedProcesses);
  await stored.sql(
    insertProcesses('generate_series(1, 200) AS n', {
      status: `CASE WHEN n <= 3 THEN 'ERRORED' WHEN n <= 153 THEN 'DRY_RUN_ERRORED' ELSE 'PENDING' END`,
      error_code: `CASE WHEN n <= 3 THEN 'reference_already_exists' WHEN n <= 153 THEN 'required' END`,
    }),
  );
  const sizes: number[] = [];
  const codes = new Set<string | null>();
  for await (const chunk of failed.list('LEGACY', undefined, 100)) {
    sizes.push(chunk.length);
    for (const { errorCode } of chunk) codes.add(errorCode);
  }
  expect([sizes, [...codes]]).toEqual([
    [100, 53],
    ['reference_already_exists', 'required'],
  ]);
});
