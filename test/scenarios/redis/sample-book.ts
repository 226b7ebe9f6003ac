import { logIn, storeOperator } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { REDIS_PROGRAMS } from '../redis-programs';
import { importSampleBook, SAMPLE_SUPPLIER } from '../sample-book';
import { type Scenario, seconds } from '../scenario';

/** The sample book on every way to run Redis; health checks, Bull Board and commands work there too. */
export default Object.fromEntries(
  REDIS_PROGRAMS.flatMap(({ name: server, program, missing }) =>
    (['tls', 'sentinel', 'cluster'] as const).map((topology): [string, Scenario] => [
      `sample-book-${server}-${topology}`,
      {
        title: `the sample book is imported on ${server} with ${topology}`,
        minutes: 1,
        backends: ['redis'],
        table: 'redis-sample-book',
        missing,
        run: async ({ install }) => {
          const installation = await install({
            postgres: {},
            redis: { topology, program },
            waits: 'default',
          });
          const since = performance.now();
          await importSampleBook(installation);
          const tookMs = performance.now() - since;
          await checkOperations(installation);
          const stops = await installation.stopPrograms();
          expect(stops.map(({ status }) => status)).toEqual([0, 0]);
          return { 'imported in': seconds(tookMs) };
        },
      },
    ]),
  ),
);

/** Readiness, the queues page, Bull Board, and a command that reads a process. */
async function checkOperations(installation: Installation): Promise<void> {
  for (const { baseUrl } of installation.programs)
    expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(200);
  const { headers } = await logIn(installation, await storeOperator(installation, 'operator'));
  const board = await installation.get(
    '/queues/api/queues?activeQueue=account-imports&status=completed',
    headers,
  );
  expect(board.status).toBe(200);
  expect(board.body.queues[0].counts.completed).toBeGreaterThan(0);
  const queues = await installation.get('/operator/v1/queues', headers);
  expect([queues.status, queues.text]).toEqual([200, expect.stringContaining('"backend":"redis"')]);
  const [first] = await installation.sql<{ number: string }>(
    'SELECT external_account_number AS number FROM import_process ORDER BY id LIMIT 1',
  );
  const account = ['--supplier', SAMPLE_SUPPLIER, '--external-account-number', first!.number];
  const shown = await installation.operator('process', 'show', ...account);
  expect(JSON.stringify(shown)).toContain('PROCESSED');
}
