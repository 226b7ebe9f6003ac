import { account, until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { type Scenario, seconds } from '../scenario';

const REPLICATED_COUNT = 30;
const UNREPLICATED_COUNT = 15;
const ALL = REPLICATED_COUNT + UNREPLICATED_COUNT;
const END_TIMEOUT_MS = 60_000;
const PATH = '/v2/data-import/accounts/';

/**
 * A fail-over to a standby that commits do not wait for. It loses exactly the accounts that were confirmed while the
 * standby received nothing, every API says so, and sending them again heals it.
 */
export default {
  title: 'the primary is killed, and its asynchronous standby promoted',
  minutes: 2,
  table: 'failover-asynchronous',
  run: async (run) => {
    const installation = await run.install({
      postgres: { standby: 'asynchronous' },
      apis: 2,
      workers: 2,
      proxies: run.random,
      waits: 'default',
    });
    const standby = installation.servers.standby!;
    const replicated = numbers('kept', REPLICATED_COUNT);
    const unreplicated = numbers('lost', UNREPLICATED_COUNT);
    const confirmed = await send(installation, replicated);
    await installation.waitFor('PROCESSED', REPLICATED_COUNT, END_TIMEOUT_MS);
    await standby.waitUntilReplicated();
    standby.cutReplication();
    confirmed.push(...(await send(installation, unreplicated)));
    expect(confirmed).toEqual([...replicated, ...unreplicated]);
    standby.signalPrimary('SIGKILL');
    const promotedAt = performance.now();
    await standby.promote();
    await untilApisAnswer(installation, replicated[0]!);
    const answersAfterMs = performance.now() - promotedAt;
    const unknown: string[] = [];
    for (const number of confirmed) {
      const statuses = await Promise.all(
        installation.apis.map(async ({ baseUrl }) => statusOf(installation, baseUrl, number)),
      );
      if (statuses.every((status) => status === 404)) unknown.push(number);
      else expect(statuses).toEqual(statuses.map(() => 200));
    }
    expect(unknown).toEqual(unreplicated);
    const sentAgainAt = performance.now();
    await send(installation, unknown);
    await installation.waitFor('PROCESSED', ALL, END_TIMEOUT_MS);
    const importedAgainAfterMs = performance.now() - sentAgainAt;
    const stored = await installation.sql(
      `SELECT count(*)::int AS processes, count(DISTINCT account.id)::int AS accounts
       FROM import_process process LEFT JOIN account ON account.process_id = process.id
       WHERE process.status = 'PROCESSED'`,
    );
    expect(stored).toEqual([{ accounts: ALL, processes: ALL }]);
    const stops = await installation.stopPrograms();
    expect(stops.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    return {
      confirmed: confirmed.length,
      'of these not replicated': unreplicated.length,
      'unknown (404) at both instances after the promotion': `the same ${unknown.length}`,
      'answers after the promotion': seconds(answersAfterMs),
      'all imported, after they were sent again': seconds(importedAgainAfterMs),
    };
  },
} satisfies Scenario;

function numbers(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

async function untilApisAnswer(installation: Installation, number: string): Promise<void> {
  await Promise.all(
    installation.apis.map(async ({ baseUrl, name }) =>
      until(
        async () => (await statusOf(installation, baseUrl, number)) === 200,
        () => `${name} does not answer`,
        END_TIMEOUT_MS,
      ),
    ),
  );
}

/** Sends each account to one of the API instances. @returns those that were confirmed */
async function send(installation: Installation, accounts: readonly string[]): Promise<string[]> {
  const confirmed: string[] = [];
  for (const [index, number] of accounts.entries()) {
    const { baseUrl } = installation.apis[index % installation.apis.length]!;
    const { status } = await installation.send('POST', PATH, { body: account(number), baseUrl });
    if (status === 201) confirmed.push(number);
  }
  return confirmed;
}

async function statusOf(installation: Installation, baseUrl: string, number: string): Promise<number> {
  const path = `${PATH}${installation.supplier}/${number}/`;
  return (await installation.send('GET', path, { baseUrl })).status;
}
