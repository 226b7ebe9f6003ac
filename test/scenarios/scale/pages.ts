import { type Answer, type OperatorClient, signIn } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import type { Scenario } from '../scenario';

const PROCESSES = Number(process.env['SCALE_PAGES_PROCESSES'] ?? 3_000_000);
/** The part of them that one submission has, with a line each. */
const SUBMISSION_SHARE = 1 / 3;
/** Processes that are stored in one statement, so that no statement holds all of them. */
const PART = 100_000;
const MAX_MEDIAN_MS = 300;
const READS = 9;

/** Of a hundred processes: how many have each status. The others are PROCESSED. */
const STATUS = `CASE WHEN n % 100 < 5 THEN 'ERRORED' WHEN n % 100 < 8 THEN 'DRY_RUN_SUCCEEDED' WHEN n % 100 < 10 THEN 'CANCELLED'
  WHEN n % 100 < 14 AND n > $2 THEN 'PENDING' ELSE 'PROCESSED' END`;

/** Stores processes of all states, the first of them with a line of the submission. */
async function storeProcesses(installation: Installation, submission: string): Promise<void> {
  const ofSubmission = Math.round(PROCESSES * SUBMISSION_SHARE);
  await installation.sql(
    `INSERT INTO submission_upload (submission_id, number, actor) VALUES ($1, 1, 'test')`,
    [submission],
  );
  for (let from = 1; from <= PROCESSES; from += PART)
    await installation.sql(
      `WITH process AS (
         INSERT INTO import_process (supplier_id, is_dry_run, status, latest_event, external_account_number,
           external_identifier, payload_hash, account_number, error_code, error_detail, submission_id, created_at, modified_at)
         SELECT supplier_id, false, one.status, 'CREATED', 'G-' || n, 'G-' || n, 'hash',
           CASE one.status WHEN 'PROCESSED' THEN 'A-' || lpad(to_hex(n + 16777216), 8, '0') END,
           CASE one.status WHEN 'ERRORED' THEN 'error_' || n % 40 END, CASE one.status WHEN 'ERRORED' THEN 'Words.' END,
           CASE WHEN n <= $2 THEN submission.id END, now() - ($5 - n) * interval '20 milliseconds',
           now() - ($5 - n) * interval '20 milliseconds'
         FROM submission, generate_series($3::integer, $4::integer) AS n, LATERAL (SELECT ${STATUS} AS status) AS one
         WHERE submission.id = $1
         RETURNING id, submission_id, external_account_number
       )
       INSERT INTO submission_line (submission_id, upload_number, line, process_id, external_account_number, customers,
         supply_points, statements, transactions, opening_balance, payment_instructions, debts, readings, statement_total,
        opening_debits, opening_credits, documents)
       SELECT submission_id, 1, substr(external_account_number, 3)::integer, id, external_account_number, 1, 1, 1, 1, 0, 0, 0,
         0, 0, 0, 0, 0
       FROM process WHERE submission_id IS NOT NULL`,
      [submission, ofSubmission, from, Math.min(PROCESSES, from + PART - 1), PROCESSES],
    );
}

/** The pages of operators, and the filters of their lists, by the path of the operator API. */
async function pathsOf(installation: Installation, submission: string): Promise<string[]> {
  const [last] = await installation.sql<{ id: string; at: string }>(
    `SELECT max(id)::text AS id, to_char(now() - interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at FROM import_process`,
  );
  const own = `/suppliers/${installation.supplier}`;
  const filters = [
    'limit=50',
    'status=PENDING',
    'status=PROCESSED',
    'status=ERRORED',
    'status=IN_PROGRESS',
    'error_code=error_3',
    'error_code=none',
    'text=G-29999',
    'text=none',
    `submission=${submission}`,
    `submission=${submission}&status=ERRORED`,
    `submission=${submission}&status=PENDING`,
    `from=${last!.at}`,
    `to=${last!.at}&status=CANCELLED`,
    `status=PROCESSED&error_code=error_3`,
  ];
  return [
    '/overview',
    '/suppliers?limit=200',
    own,
    '/submissions',
    `/submissions?supplier=${installation.supplier}`,
    `/submissions/${submission}`,
    '/queues',
    '/workers',
    '/audit',
    `${own}/processes/${last!.id}`,
    ...filters.map((filter) => `${own}/processes?${filter}`),
  ];
}

/** The states of the processes by the table, and by the overview. */
async function compareStates(installation: Installation, viewer: OperatorClient): Promise<void> {
  const rows = await installation.sql<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM import_process GROUP BY 1',
  );
  const { body } = await viewer.get('/overview');
  expect(body.suppliers[0].states).toMatchObject(
    Object.fromEntries(rows.map(({ status, count }) => [status, count])),
  );
}

export default {
  title: `pages of operators are read within ${MAX_MEDIAN_MS} ms, with ${PROCESSES} stored processes`,
  minutes: 8,
  backends: ['postgres'],
  table: 'pages',
  page: 'performance.md',
  run: async ({ install, say }) => {
    const installation = await install({ postgres: {}, workers: 0, waits: 'default' });
    const reference = { import_supplier: installation.supplier, reference: 'large' };
    const submission = String((await installation.post('/v2/data-import/submissions/', reference)).body.id);
    await storeProcesses(installation, submission);
    say(`${PROCESSES} processes are stored`);
    await installation.send('POST', `/v2/data-import/submissions/${submission}/complete/`);
    const operator = await signIn(installation, 'operator');
    await compareStates(installation, operator);
    const own = `/suppliers/${installation.supplier}`;
    const previews = [
      { action: 'cancel', selection: { status: 'PENDING' } },
      { action: 'retry', selection: { error_code: 'error_3' } },
      { action: 'retry', selection: { submission, status: 'CANCELLED' } },
    ];
    const pages: [path: string, read: () => Promise<Answer>][] = [
      ...(await pathsOf(installation, submission)).map((path): [string, () => Promise<Answer>] => [
        path,
        async () => operator.get(path),
      ]),
      ...previews.map((preview): [string, () => Promise<Answer>] => [
        `preview of ${JSON.stringify(preview)}`,
        async () => operator.post(`${own}/process-actions/preview`, preview),
      ]),
    ];
    const measured: { path: string; first: number; median: number }[] = [];
    for (const [path, read] of pages) {
      const times: number[] = [];
      while (times.length < READS) {
        const since = performance.now();
        const { status } = await read();
        times.push(performance.now() - since);
        expect([path, status]).toEqual([path, 200]);
      }
      const [first = 0] = times;
      measured.push({ path, first, median: times.toSorted((a, b) => a - b)[Math.floor(READS / 2)]! });
    }
    measured.sort((one, other) => other.median - one.median);
    for (const { path, first, median } of measured)
      say(`${median.toFixed(0)} ms, the first ${first.toFixed(0)} ms: ${path}`);
    expect(measured.filter(({ median }) => median > MAX_MEDIAN_MS)).toEqual([]);
    const medianOf = (path: string) => `${measured.find((one) => one.path === path)!.median.toFixed(0)} ms`;
    return {
      'stored processes': PROCESSES,
      overview: medianOf('/overview'),
      supplier: medianOf(own),
      submission: medianOf(`/submissions/${submission}`),
      'slowest page, filter or preview': `${measured[0]!.median.toFixed(0)} ms`,
    };
  },
} satisfies Scenario;
