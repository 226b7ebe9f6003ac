import { type TestedBackend, until } from '@portage/testing';
import { checkHistory } from '../conditions/check-history';
import { readStored, readUnprocessedLines, readViews } from '../conditions/final-state';
import type { Call } from '../conditions/history';
import { BOARD_PASSWORD, type Program, type Release, UpgradeInstallation } from './upgrade-installation';
import { KEY, Load } from './load';

/** The two releases of an upgrade. */
export interface Releases {
  previous: Release;
  current: Release;
}

/** What an upgrade has shown. */
export interface UpgradeResult {
  backend: TestedBackend;
  calls: number;
  accounts: number;
  /** Calls by the API instance that was asked. */
  callsByInstance: Record<string, number>;
  failures: string[];
  lost: number;
  doubled: number;
  violations: string[];
  isFinished: boolean;
  /** PROCESSED events, and those that the figures of operators have. */
  processed: number;
  processedInFigures: number;
  stops: UpgradeInstallation['stops'];
}

/** The figures are made once a minute. */
const FIGURES_TIMEOUT_MS = 150_000;

/**
 * Upgrades from one release to the next, goes back, and upgrades again, while clients send accounts, transactions, notes
 * and submissions to the API instances that are ready, and follow each account.
 */
export async function runUpgrade(
  releases: Releases,
  backend: TestedBackend,
  say: (text: string) => void,
): Promise<UpgradeResult> {
  const installation = await UpgradeInstallation.start(backend);
  try {
    const load = new Load(installation);
    let isFinished = false;
    try {
      await upgrade(installation, releases, load, say);
    } finally {
      isFinished = await load.finish();
    }
    say('every account is at its end');
    const checked = await check(installation, load);
    await installation.stopAll();
    const { stops } = installation;
    return { backend, isFinished, ...checked, stops };
  } finally {
    await installation.end();
  }
}

async function upgrade(
  installation: UpgradeInstallation,
  { previous, current }: Releases,
  load: Load,
  say: (text: string) => void,
): Promise<void> {
  await installation.migrate(previous);
  await installation.createSupplier(previous);
  const oldWorker = await installation.launch(previous, 'worker');
  const oldApi = await installation.launch(previous, 'api');
  await installation.obtainToken(oldApi);
  expect(await openBoard(oldApi)).toBe(200);
  load.start();
  await load.during('before', async () => Promise.resolve());
  say(`${previous.name} serves`);

  await load.during('migrate', async () => installation.migrate(current));
  say('migrated under load');

  const worker = await installation.launch(current, 'worker');
  const api = await load.during('both', async () => installation.launch(current, 'api'));
  say('both releases serve');

  await load.during('forward', async () => installation.stop(oldWorker, oldApi));
  say('rolled forward');
  await signIn(installation, current, api);
  expect(await openBoard(api)).toBe(401);

  // API instances go back first: a worker of the previous release may not know the jobs of a later API.
  const apiAgain = await installation.launch(previous, 'api', 'again');
  const workerAgain = await load.during('back', async () => {
    await installation.stop(api);
    const started = await installation.launch(previous, 'worker', 'again');
    await installation.stop(worker);
    return started;
  });
  say('rolled back');

  await installation.launch(current, 'worker', 'again');
  await load.during('again', async () => {
    await installation.launch(current, 'api', 'again');
    await installation.stop(workerAgain);
  });
  say(`rolled forward again, and ${apiAgain.name} still serves`);
}

/** The status of Bull Board with the password of the previous release. */
async function openBoard({ baseUrl }: Program): Promise<number> {
  const authorization = `Basic ${Buffer.from(`operator:${BOARD_PASSWORD}`).toString('base64')}`;
  const answer = await fetch(`${baseUrl}/queues/api/queues`, { headers: { authorization } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Creates an operator as the notes of the upgrade say, and signs in to the console. */
async function signIn(
  installation: UpgradeInstallation,
  release: Release,
  { baseUrl }: Program,
): Promise<void> {
  const name = 'ada';
  const created = await installation.operate(release, 'operator', 'create', name, '--role', 'admin');
  const password = created['one_time_password'];
  const answer = await fetch(`${baseUrl}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ name, password }),
  });
  expect([answer.status, await answer.json()]).toEqual([201, expect.anything()]);
  const page = await fetch(`${baseUrl}/console/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
}

async function check(installation: UpgradeInstallation, load: Load) {
  const { calls, submissions } = load;
  const stored = await readStored(installation, KEY);
  const views = await readViews(installation, load.posting);
  const unprocessed: string[] = [];
  for (const submission of submissions)
    unprocessed.push(...(await readUnprocessedLines(installation, submission)));
  const accepted = new Set(
    calls
      .filter(({ operation, status }) => operation === 'schedule' && status === 201)
      .map(({ account }) => account),
  );
  const existing = new Set(stored.filter(({ accounts }) => accounts > 0).map(({ account }) => account));
  const callsByInstance: Record<string, number> = {};
  for (const { instance } of calls) callsByInstance[instance] = (callsByInstance[instance] ?? 0) + 1;
  return {
    calls: calls.length,
    accounts: accepted.size,
    callsByInstance,
    failures: calls.filter(({ status }) => status === 0 || status >= 400).map(describeFailure),
    lost: [...accepted].filter((account) => !existing.has(account)).length,
    doubled: stored.filter(({ accounts, processedEvents }) => accounts > 1 || processedEvents > 1).length,
    violations: [...checkHistory(calls, stored, views), ...unprocessed],
    ...(await readFigures(installation)),
  };
}

/** A failed call with its times, to be compared with the logs that KEEP_UPGRADE=1 keeps. */
function describeFailure({ operation, account, instance, status, code, startedAt, endedAt }: Call): string {
  const [from, to] = [startedAt, endedAt].map((at) => new Date(performance.timeOrigin + at).toISOString());
  return `${operation} ${account} at ${instance}: ${status} ${code ?? ''}, from ${from} to ${to}`;
}

/** The accounts that both releases have processed, and those of them in the figures that this one makes. */
async function readFigures(
  installation: UpgradeInstallation,
): Promise<Pick<UpgradeResult, 'processed' | 'processedInFigures'>> {
  let figures = { processed: 0, processedInFigures: -1 };
  const read = async () => {
    const [row] = await installation.sql<typeof figures>(
      `SELECT (SELECT count(*)::int FROM import_process_event WHERE event = 'PROCESSED') AS processed,
         (SELECT coalesce(sum(processed), 0)::int FROM import_process_minute) AS "processedInFigures"`,
    );
    figures = row!;
    return figures.processed === figures.processedInFigures;
  };
  const isEqual = until(read, FIGURES_TIMEOUT_MS, () => 'the figures differ');
  // The result has the difference.
  await isEqual.catch(() => undefined);
  return figures;
}
