import { account, type TestedBackend, until } from '@portage/testing';
import { ConditionsEnvironment } from './environment';
import { seededRandom } from './random';

const REPLICATED_COUNT = 30;
const UNREPLICATED_COUNT = 15;
const END_TIMEOUT_MS = 60_000;
const RUN_TIMEOUT_MS = 240_000;
const PATH = '/v2/data-import/accounts/';

/** What one run has shown. */
interface Loss {
  confirmed: string[];
  /** Those that no API knows after the fail-over. */
  unknown: string[];
  answersAfterMs: number;
  importedAgainAfterMs: number;
}

/**
 * A fail-over to a standby that commits do not wait for. It loses exactly the accounts that were confirmed while the
 * standby received nothing, every API says so, and sending them again heals it.
 *
 * @param only the key of the one condition to run
 */
export function testAsynchronousStandby(only: string | undefined): void {
  const key = 'asynchronous-standby';
  if (only && only !== key) return;
  describe(key, () => {
    it.each<TestedBackend>(['postgres', 'redis'])(
      'loses exactly what the standby had not received, and is healed by sending it again, queue in %s, seed 1',
      async (backend) => {
        process.stderr.write(
          `Repeat with: npm run test:conditions -- failover --only ${key} --backend ${backend}\n`,
        );
        const environment = await ConditionsEnvironment.start({
          backend,
          random: seededRandom(1),
          standby: 'asynchronous',
        });
        try {
          const { replicated, unreplicated, loss } = await loseUnreplicated(environment);
          process.stderr.write(
            `${key}, ${backend}: ${loss.confirmed.length} confirmed, ${loss.unknown.length} lost, ` +
              `answers ${(loss.answersAfterMs / 1_000).toFixed(1)} s after the promotion, ` +
              `imported again after ${(loss.importedAgainAfterMs / 1_000).toFixed(1)} s\n`,
          );
          expect(loss.unknown).toEqual(unreplicated);
          expect(loss.confirmed).toEqual([...replicated, ...unreplicated]);
          const stored = await environment.sql<{ accounts: number; processes: number }>(
            `SELECT count(*)::int AS processes, count(DISTINCT account.id)::int AS accounts
             FROM import_process process LEFT JOIN account ON account.process_id = process.id
             WHERE process.status = 'PROCESSED'`,
          );
          const count = REPLICATED_COUNT + UNREPLICATED_COUNT;
          expect(stored).toEqual([{ accounts: count, processes: count }]);
          const stops = await environment.stopInstances();
          expect(stops.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
        } finally {
          await environment.stop();
        }
      },
      RUN_TIMEOUT_MS,
    );
  });
}

async function loseUnreplicated(
  environment: ConditionsEnvironment,
): Promise<{ replicated: string[]; unreplicated: string[]; loss: Loss }> {
  const servers = environment.servers!;
  const replicated = names('kept', REPLICATED_COUNT);
  const unreplicated = names('lost', UNREPLICATED_COUNT);
  const confirmed = await send(environment, replicated);
  await environment.waitFor('PROCESSED', REPLICATED_COUNT, END_TIMEOUT_MS);
  await servers.waitUntilReplicated();
  servers.cutReplication();
  confirmed.push(...(await send(environment, unreplicated)));
  servers.signalPrimary('SIGKILL');
  const promotedAt = performance.now();
  await servers.promote();
  await Promise.all(
    environment.apis.map(async ({ baseUrl, name }) =>
      until(
        async () => (await statusOf(environment, baseUrl, replicated[0]!)) === 200,
        END_TIMEOUT_MS,
        () => `${name} does not answer`,
      ),
    ),
  );
  const answersAfterMs = performance.now() - promotedAt;
  const unknown: string[] = [];
  for (const name of confirmed) {
    const statuses = await Promise.all(
      environment.apis.map(async ({ baseUrl }) => statusOf(environment, baseUrl, name)),
    );
    if (statuses.every((status) => status === 404)) unknown.push(name);
    else expect(statuses).toEqual(statuses.map(() => 200));
  }
  const sentAgainAt = performance.now();
  await send(environment, unknown);
  await environment.waitFor('PROCESSED', REPLICATED_COUNT + UNREPLICATED_COUNT, END_TIMEOUT_MS);
  const importedAgainAfterMs = performance.now() - sentAgainAt;
  return { replicated, unreplicated, loss: { confirmed, unknown, answersAfterMs, importedAgainAfterMs } };
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** Sends each account to one of the API instances. @returns those that were confirmed */
async function send(environment: ConditionsEnvironment, accounts: readonly string[]): Promise<string[]> {
  const confirmed: string[] = [];
  for (const [index, name] of accounts.entries()) {
    const { baseUrl } = environment.apis[index % environment.apis.length]!;
    const { status } = await environment.send('POST', PATH, { body: account(name), baseUrl });
    if (status === 201) confirmed.push(name);
  }
  return confirmed;
}

async function statusOf(environment: ConditionsEnvironment, baseUrl: string, name: string): Promise<number> {
  const { status } = await environment.send('GET', `${PATH}${environment.supplier}/${name}/`, { baseUrl });
  return status;
}
