import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtProgram, logIn, REPOSITORY, storeOperator } from '@portage/testing';
import { ConditionsEnvironment } from './environment';
import { seededRandom } from './random';
import { REDIS_DEPLOYMENTS } from './redis-conditions';

const TIMEOUT_MS = 180_000;
const IMPORT_TIMEOUT_MS = 90_000;
const SUPPLIER = 'DEMO';

/** Imports the sample book through every way to run Redis; health checks, Bull Board and commands work there too. */
export function testSampleBooks(): void {
  describe('the sample book', () => {
    it.each(REDIS_DEPLOYMENTS)(
      'is imported with the queue in redis, $name',
      async ({ name, ...redis }) => {
        const environment = await ConditionsEnvironment.start({
          backend: 'redis',
          random: seededRandom(1),
          apis: 1,
          workers: 1,
          redis,
        });
        try {
          const startedAt = performance.now();
          await importBook(environment);
          process.stderr.write(
            `Sample book, ${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`,
          );
          await checkOperations(environment);
          const stops = await environment.stopInstances();
          expect(stops.map(({ name: instance, status }) => [instance, status])).toEqual([
            ['api-1', 0],
            ['worker-1', 0],
          ]);
        } finally {
          await environment.stop();
        }
      },
      TIMEOUT_MS,
    );
  });
}

async function importBook(environment: ConditionsEnvironment): Promise<void> {
  await environment.operator('supplier', 'create', SUPPLIER, '--organisation', environment.organisation);
  const importer = spawn(
    process.execPath,
    [
      builtProgram('importer'),
      '--file',
      join(REPOSITORY, 'examples', 'book.ndjson'),
      '--base-url',
      environment.baseUrl,
      '--errors',
      join(environment.directory, 'errors.ndjson'),
    ],
    {
      env: { ...process.env, PORTAGE_API_KEY: environment.apiKey },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: IMPORT_TIMEOUT_MS,
    },
  );
  let stderr = '';
  importer.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(importer, 'close');
  const counts = await environment.sql(
    'SELECT status, count(*)::int AS count FROM import_process GROUP BY status',
  );
  expect([counts, stderr]).toEqual([[{ status: 'PROCESSED', count: 200 }], stderr]);
}

/** Readiness, the queues page, Bull Board, and a command that adds a job. */
async function checkOperations(environment: ConditionsEnvironment): Promise<void> {
  for (const { baseUrl } of environment.instances)
    expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(200);
  const { headers } = await logIn(environment, await storeOperator(environment, 'operator'));
  const board = await environment.get(
    '/queues/api/queues?activeQueue=account-imports&status=completed',
    headers,
  );
  expect(board.status).toBe(200);
  expect(board.body.queues[0].counts.completed).toBeGreaterThan(0);
  const queues = await environment.get('/operator/v1/queues', headers);
  expect([queues.status, queues.text]).toEqual([200, expect.stringContaining('"backend":"redis"')]);
  const [first] = await environment.sql<{ number: string }>(
    'SELECT external_account_number AS number FROM import_process ORDER BY id LIMIT 1',
  );
  const account = ['--supplier', SUPPLIER, '--external-account-number', first!.number];
  const shown = await environment.operator('process', 'show', ...account);
  expect(JSON.stringify(shown)).toContain('PROCESSED');
}
