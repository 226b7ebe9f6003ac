import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../environment/installation';
import { OperatorRequests } from '../environment/operator-requests';
import { portage } from '../environment/program';
import { requireDisk } from '../environment/require-disk';
import { SUPPLIER } from '../environment/servers';
import { formatFigure } from '../results';
import { median } from '../statistics';
import { storeMigration } from '../stored/migration';
import type { Bench, Findings, Measure } from './measure';

/** Disk space of a stored process with its account and events, and everything else. */
const DISK_BYTES = { perProcess: 2_000, other: 2e9 };

/** Requests for each page. */
const REQUESTS = 7;

const MAX_MS = 300;

/** The worker counts each minute, and rolls up a million events in each run. */
const COUNTED_TIMEOUT_MS = 900_000;
const POLL_INTERVAL_MS = 2_000;

const DAY_MS = 86_400_000;

interface Page {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

export const operatorPages: Measure = {
  name: 'operator',
  title: 'Pages of operators, with millions of processes of one supplier',
  async run(bench: Bench): Promise<Findings> {
    const { servers, stored } = bench;
    requireDisk(servers, 'operator', DISK_BYTES.other + stored * DISK_BYTES.perProcess);
    const installation = await servers.installation(servers.fasterBackend);
    try {
      bench.log(`storing ${formatFigure(stored)} processes`);
      const submission = await storeMigration(installation, stored, bench.log);
      const running = await installation.start(portage, 1);
      bench.log('waiting until the worker has counted them');
      await waitUntilCounted(installation, stored);
      const requests = await OperatorRequests.signIn(installation, running);
      const results: { page: Page; times: number[] }[] = [];
      for (const page of pages(submission, stored)) {
        const times: number[] = [];
        for (let nth = 0; nth < REQUESTS; nth += 1)
          times.push(await requests.time(page.method, page.path, page.body));
        results.push({ page, times });
        bench.log(`${describe(page)}: ${formatFigure(median(times))} ms`);
      }
      return {
        rounds: 1,
        load:
          `${stored.toLocaleString('en')} processes of one supplier: four fifths are imported, a tenth has an error, a tenth waits; half of them belong to one submission. ` +
          `One request at a time, ${REQUESTS} for each page, the first of them included. A worker runs beside them.`,
        tables: [
          {
            columns: ['request', 'median ms', 'first ms', 'slowest ms'],
            rows: results.map(({ page, times }) => [
              `\`${describe(page)}\``,
              formatFigure(median(times)),
              formatFigure(times[0] ?? NaN),
              formatFigure(Math.max(...times)),
            ]),
          },
        ],
        goals: [
          {
            name: 'the slowest median',
            measured: Math.max(...results.map(({ times }) => median(times))),
            atMost: MAX_MS,
            unit: 'ms',
          },
        ],
      };
    } finally {
      await installation.close();
    }
  },
};

function describe({ method, path, body }: Page): string {
  const shown = path.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return body === undefined ? shown : `${method} ${shown} ${JSON.stringify(body)}`;
}

/** The requests of all pages of the console, and filters that match few processes or none. */
function pages(submission: string, stored: number): Page[] {
  const supplier = `/suppliers/${SUPPLIER}`;
  const list = `${supplier}/processes`;
  const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const middle = at(3.5);
  const paths = [
    ...['/overview', '/health', '/suppliers', supplier, `${supplier}/throughput`],
    `${supplier}/throughput?step=minute&from=${at(1)}`,
    `${supplier}/throughput?step=hour&from=${at(7)}`,
    ...[list, `${list}?limit=200`],
    ...['ERRORED', 'PENDING', 'PROCESSED', 'DRY_RUN_ERRORED'].map((status) => `${list}?status=${status}`),
    ...['rare', 'common', 'none'].map((code) => `${list}?error_code=${code}`),
    `${list}?error_code=common&status=DRY_RUN_ERRORED`,
    `${list}?submission=${submission}`,
    `${list}?submission=${submission}&status=ERRORED`,
    `${list}?submission=${submission}&error_code=rare`,
    ...[`${list}?from=${middle}`, `${list}?to=${middle}`, `${list}?status=ERRORED&from=${middle}`],
    `${list}?from=${middle}&to=${middle}`,
    ...['G-12', 'G-123', `G-${stored}`, 'A-0100', 'nothing'].map((text) => `${list}?text=${text}`),
    ...[`${list}?text=G-1&status=DRY_RUN_ERRORED&error_code=rare`, `${list}?text=G-12&status=ERRORED`],
    ...[`${list}/${stored}`, `${list}/10`],
    ...[`${supplier}/submissions`, `/submissions/${submission}`],
    ...['/audit', '/audit?action=supplier.set', `/audit?supplier=${SUPPLIER}`, `/audit?until=${middle}`],
    ...['/queues', '/workers', '/vendors', `${supplier}/webhooks`],
    ...['/organisations', '/organisations/Benchmark/api-keys', '/operators', '/session'],
  ];
  const selections = [
    ...[{ status: 'ERRORED' }, { error_code: 'rare' }, { error_code: 'common' }, { submission }],
    { external_account_numbers: ['G-10', 'G-20'] },
  ];
  return [
    ...paths.map((path) => ({ method: 'GET' as const, path })),
    ...selections.map((selection) => ({
      method: 'POST' as const,
      path: `${supplier}/process-actions/preview`,
      body: { action: 'retry', selection },
    })),
  ];
}

/** Waits until the counts and the minutes are those of all processes. @throws Error if they are not in time */
async function waitUntilCounted(installation: Installation, stored: number): Promise<void> {
  const deadline = performance.now() + COUNTED_TIMEOUT_MS;
  for (;;) {
    const [state] = await installation.sql<{ counted: number; errors: number; minutes: number }>(
      `SELECT (SELECT coalesce(sum(count), 0)::float8 FROM import_process_count) AS counted,
         (SELECT count(*)::integer FROM import_process_error_count) AS errors,
         (SELECT coalesce(sum(processed + errored), 0)::float8 FROM import_process_minute) AS minutes`,
    );
    if (state?.counted === stored && state.errors > 0 && state.minutes >= stored * 0.89) return;
    if (performance.now() > deadline)
      throw new Error(`The processes were not counted in time: ${JSON.stringify(state)}.`);
    await sleep(POLL_INTERVAL_MS);
  }
}
