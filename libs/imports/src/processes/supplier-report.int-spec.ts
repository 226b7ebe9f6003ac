import { StoredProcesses, useApplication } from '@portage/testing/application';
import { ListFailedProcesses } from './list-failed-processes';
import { SupplierReport } from './supplier-report';

const test = useApplication();
let report: SupplierReport;

beforeAll(async () => {
  report = test.app.get(SupplierReport);
  await store('PROCESSED', 120, { minutesAgo: 2.5 });
  await store('PROCESSED', 60, { minutesAgo: 0.5 });
  await store('PROCESSED', 1_000, { minutesAgo: 90 });
  await store('ERRORED', 3, { minutesAgo: 0.5, error: ['reference_already_exists', 'references.0: taken'] });
  await store('DRY_RUN_ERRORED', 150, {
    minutesAgo: 70,
    error: ['required', 'customers.0.family_name: missing'],
  });
  await store('DRY_RUN_SUCCEEDED', 7, { minutesAgo: 70 });
  await store('PENDING', 61, { minutesAgo: 0 });
  await store('PENDING', 5, { minutesAgo: 0, windowInMinutes: 30 });
});

let stored = 0;

async function store(
  status: string,
  count: number,
  about: { minutesAgo: number; error?: [string, string]; windowInMinutes?: number },
): Promise<void> {
  const [code, detail] = about.error ?? [null, null];
  await new StoredProcesses(test).sql(
    `INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
       status, latest_event, error_code, error_detail, modified_at, schedule_window_start,
       account_number, account_created_at)
     SELECT $1, 'N-' || n, 'N-' || n, '', false, $2, 'CREATED', $3, $4, now() - $5 * interval '1 minute',
       now() + $6 * interval '1 minute', CASE WHEN $2 = 'PROCESSED' THEN 'A-' || n END,
       CASE WHEN $2 = 'PROCESSED' THEN now() END
     FROM generate_series($7::int, $8) n`,
    [
      test.supplier.id,
      status,
      code,
      detail,
      about.minutesAgo,
      about.windowInMinutes ?? null,
      stored + 1,
      stored + count,
    ],
  );
  stored += count;
}

describe('the report on a migration', () => {
  it('has counts by status, the most frequent errors with the latest example, and the time left', async () => {
    const { ended, ...rest } = await report.read('LEGACY');
    expect(rest).toEqual({
      supplierStatus: 'Ongoing',
      total: 1_406,
      processes: {
        PENDING: 66,
        IN_PROGRESS: 0,
        DRY_RUN_SUCCEEDED: 7,
        DRY_RUN_ERRORED: 150,
        CANCELLED: 0,
        PROCESSED: 1_180,
        ERRORED: 3,
      },
      waitingForWindow: 5,
      errors: [
        {
          code: 'required',
          count: 150,
          externalAccountNumber: 'N-1333',
          detail: 'customers.0.family_name: missing',
        },
        {
          code: 'reference_already_exists',
          count: 3,
          externalAccountNumber: 'N-1183',
          detail: 'references.0: taken',
        },
      ],
      bucketSeconds: 60,
      // 183 in three minutes. Processes that wait for their window do not count as remaining.
      pace: { perSecond: 183 / 180, secondsLeft: 60 },
    });
    expect(ended).toEqual([...Array<number>(57).fill(0), 120, 0, 63]);
  });

  it('yields each failed account, in chunks', async () => {
    const sizes: number[] = [];
    const codes = new Set<string | null>();
    for await (const chunk of test.app.get(ListFailedProcesses).list('LEGACY', 100)) {
      sizes.push(chunk.length);
      for (const { errorCode } of chunk) codes.add(errorCode);
    }
    expect([sizes, [...codes]]).toEqual([
      [100, 53],
      ['reference_already_exists', 'required'],
    ]);
  });

  it('refuses an unknown supplier', async () => {
    await expect(report.read('NOBODY')).rejects.toThrow('There is no supplier NOBODY');
  });
});
