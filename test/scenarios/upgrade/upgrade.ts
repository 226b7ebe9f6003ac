import { until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import type { ServiceProcess } from '@portage/local-environment';
import { type Call, check, Clients, LoadBalancer, Submission } from '@portage/testing/promises';
import { SMALL_MEASURES, smallBook } from '../book';
import type { Scenario, ScenarioRun } from '../scenario';

/** The two releases of an upgrade, by the directories of their builds. `run.mjs` builds and names them. */
interface Releases {
  previous: { name: string; directory: string };
  current: { name: string; directory: string };
}

/** Prefix of all external account numbers. */
const KEY = 'U';
const PER_SECOND = Number(process.env['PORTAGE_UPGRADE_RATE'] ?? 5);
/** Accounts that are accepted in each phase before the next one. */
const ACCOUNTS = Number(process.env['PORTAGE_UPGRADE_ACCOUNTS'] ?? 60);
/** Accounts of the submission of each phase. */
const LINES = 40;
/** More than all phases take. */
const MAX_ACCOUNTS = 1_800 * PER_SECOND;
const PHASE_TIMEOUT_MS = 120_000;
const END_TIMEOUT_MS = 120_000;
/** The figures are made once a minute. */
const FIGURES_TIMEOUT_MS = 150_000;
/** Requests are accepted for this long after SIGTERM, so that the probes notice it also on a busy machine. */
const GRACE_MS = 5_000;

/**
 * Upgrades from one release to the next, goes back, and upgrades again, while clients send accounts, transactions, notes
 * and submissions to the API instances that are ready, and follow each account.
 */
export default {
  title: 'an upgrade from the last release to this checkout, back, and again: no request fails',
  minutes: 6,
  run: async (run) => {
    const releases = JSON.parse(process.env['SCENARIOS_RELEASES']!) as Releases;
    const installation = await run.install({
      postgres: {},
      checkout: releases.previous.directory,
      apis: 1,
      workers: 1,
      waits: 'default',
      env: { SHUTDOWN_GRACE_MS: String(GRACE_MS), LOG_LEVEL: 'info' },
    });
    const load = await Load.start(run, installation);
    let isFinished = false;
    try {
      await upgrade(installation, releases, load, run);
    } finally {
      isFinished = await load.finish();
    }
    const { balancer, posting, uploading, submissions } = load;
    const clients = [posting, uploading];
    const { calls, accepted, lost, doubled, violations } = await check(balancer, KEY, clients);
    for (const submission of submissions) violations.push(...(await submission.findDifferences()));
    const history = clients.flatMap((one) => one.calls);
    const failures = history.filter(({ status }) => status === 0 || status >= 400).map(describeFailure);
    const byInstance = new Map<string, number>();
    for (const { instance } of history) byInstance.set(instance, (byInstance.get(instance) ?? 0) + 1);
    // This release counts the accounts that the previous one has imported, before the upgrade and beside it.
    await untilFiguresAgree(installation);
    await load.stop(...installation.programs.filter(({ isRunning }) => isRunning));
    expect({ failures, violations, lost, doubled, isFinished }).toEqual({
      failures: [],
      violations: [],
      lost: 0,
      doubled: 0,
      isFinished: true,
    });
    expect(byInstance.size).toBe(4);
    return {
      from: releases.previous.name,
      accounts: accepted,
      calls,
      'by old API, new, old again, new again': [...byInstance.values()].join(', '),
      failed: failures.length,
      lost,
      doubled,
      violations: violations.length,
    };
  },
} satisfies Scenario;

async function upgrade(
  installation: Installation,
  { previous, current }: Releases,
  load: Load,
  { say }: ScenarioRun,
): Promise<void> {
  const { directory: old } = previous;
  const { directory: checkout } = current;
  const [oldApi] = installation.apis;
  const [oldWorker] = installation.workers;
  await load.during('before', async () => Promise.resolve());
  say(`${previous.name} serves`);

  await load.during('migrate', async () => installation.migrate(checkout));
  say('migrated under load');

  const worker = await installation.launch('worker-new', { checkout });
  const api = await load.during('both', async () => load.launch('api-new', checkout));
  say('both releases serve');

  await load.during('forward', async () => load.stop(oldWorker!, oldApi!));
  say('rolled forward');
  await signIn(installation, checkout, api);

  // Deploying the previous release runs its command, which leaves the schema of the later one.
  await installation.migrate(old);
  // API instances go back first: a worker of the previous release may not know the jobs of a later API.
  await load.launch('api-again', old);
  const workerAgain = await load.during('back', async () => {
    await load.stop(api);
    const started = await installation.launch('worker-again', { checkout: old });
    await load.stop(worker);
    return started;
  });
  say('rolled back');

  await installation.launch('worker-last', { checkout });
  await load.during('again', async () => {
    await load.launch('api-last', checkout);
    await load.stop(workerAgain);
  });
  say('rolled forward again, and an API of the previous release still serves');
}

/** The clients of a supplier, who post accounts all the time and send a submission in each phase of an upgrade. */
class Load {
  readonly submissions: Submission[] = [];
  private sending: Promise<void> = Promise.resolve();

  private constructor(
    private readonly installation: Installation,
    readonly balancer: LoadBalancer,
    readonly posting: Clients,
    /** Of the submissions. */
    readonly uploading: Clients,
  ) {}

  static async start({ random, atEnd }: ScenarioRun, installation: Installation): Promise<Load> {
    const balancer = new LoadBalancer(installation);
    const load = new Load(
      installation,
      balancer,
      new Clients(balancer, { random }),
      new Clients(balancer, { random }),
    );
    atEnd(() => {
      balancer.close();
      load.posting.stop();
      load.uploading.stop();
    });
    await balancer.untilReady(installation.api!);
    load.sending = load.posting.postAtRate(smallBook(`${KEY}-post`, MAX_ACCOUNTS), PER_SECOND);
    return load;
  }

  /** Runs a step of the upgrade beside the clients. Its submission is opened before, and uploaded meanwhile. */
  async during<T>(phase: string, step: () => Promise<T>): Promise<T> {
    const book = smallBook(`${KEY}-${phase}`, LINES);
    const opened = { reference: phase, book, measures: SMALL_MEASURES };
    const submission = await Submission.open(this.balancer, this.uploading, opened);
    this.submissions.push(submission);
    const running = step();
    this.uploading.add(submission.send());
    const result = await running;
    const wanted = this.posting.accepted.size + ACCOUNTS;
    await this.posting.waitForAnswers(wanted);
    await until(
      () => this.posting.accepted.size >= wanted,
      () => `the phase ${phase} did not end; ${this.posting.summary()}`,
      PHASE_TIMEOUT_MS,
    );
    return result;
  }

  /** Starts an API and waits until the load balancer has found it. */
  async launch(name: string, checkout: string): Promise<ServiceProcess> {
    const api = await this.installation.launch(name, { checkout });
    await this.balancer.untilReady(api);
    return api;
  }

  /** Stops programs one after another, each with status 0. */
  async stop(...programs: readonly ServiceProcess[]): Promise<void> {
    for (const program of programs) {
      const [stopped] = await this.installation.stopPrograms([program]);
      expect(stopped).toMatchObject({ status: 0 });
    }
  }

  /** Sends no further accounts. @returns true if every account came to its end in time */
  async finish(): Promise<boolean> {
    this.posting.end();
    await this.sending;
    const ends = [this.posting, this.uploading].map(async (clients) => clients.finish(END_TIMEOUT_MS));
    return (await Promise.all(ends)).every(Boolean);
  }
}

/** Creates an operator as the notes of the upgrade say, and signs in to the console. */
async function signIn(
  installation: Installation,
  checkout: string,
  { baseUrl }: ServiceProcess,
): Promise<void> {
  const name = 'ada';
  const created = await installation.command(checkout, 'operator', 'create', name, '--role', 'admin');
  const { one_time_password: password } = created as { one_time_password: string };
  const answer = await fetch(`${baseUrl}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ name, password }),
  });
  expect([answer.status, await answer.json()]).toEqual([201, expect.anything()]);
  const page = await fetch(`${baseUrl}/console/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
}

/** A failed call with its times, to be compared with the logs that KEEP_INSTALLATION=1 keeps. */
function describeFailure({ operation, account, instance, status, code, startedAt, endedAt }: Call): string {
  const [from, to] = [startedAt, endedAt].map((at) => new Date(performance.timeOrigin + at).toISOString());
  return `${operation} ${account} at ${instance}: ${status} ${code ?? ''}, from ${from} to ${to}`;
}

/** Waits until the figures of operators count every account that was imported. */
async function untilFiguresAgree(installation: Installation): Promise<void> {
  let figures = { processed: 0, inFigures: -1 };
  await until(
    async () => {
      const inFigures = `SELECT sum(processed) FROM (
        SELECT processed FROM import_throughput_minute
        UNION ALL SELECT count FROM import_count_change
        WHERE kind = 'PROCESSED' AND count > 0
      ) AS part`;
      const [row] = await installation.sql<typeof figures>(
        `SELECT (SELECT count(*)::int FROM import_process_event WHERE event = 'PROCESSED') AS processed,
           coalesce((${inFigures}), 0)::int AS "inFigures"`,
      );
      figures = row!;
      return figures.processed === figures.inFigures;
    },
    () => `the figures differ: ${JSON.stringify(figures)}`,
    FIGURES_TIMEOUT_MS,
  );
}
