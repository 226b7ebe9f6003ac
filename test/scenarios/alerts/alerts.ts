import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { account, findProgram, MISSING, REPOSITORY, until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { SandboxVendors } from '@portage/local-environment';
import { type Scenario, type ScenarioRun, seconds } from '../scenario';
import { whileSuspended } from '../strikes';
import {
  type Cause,
  exhaustedPool,
  instruct,
  noteWithDocument,
  TOGETHER,
  transactionLeftOpen,
} from './causes';
import { Prometheus, SHORTENED } from './prometheus';

const ACCOUNTS = 20;
/** A normal day is at least as long as this. */
const NORMAL_MS = 100_000;
/** The longest `for` is 90 s here, and a submission is reconciled each minute. */
const FIRE_TIMEOUT_MS = 240_000;
/** Increases of an hour are seen for three minutes. */
const END_TIMEOUT_MS = 240_000;

const dashboard = JSON.parse(readFileSync(join(REPOSITORY, 'deploy/grafana/portage.json'), 'utf8')) as {
  panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
};
const rules = readFileSync(join(REPOSITORY, 'deploy/prometheus/alerts.yml'), 'utf8');

/** The alerts of a run, and when each began and ended. */
class Watch {
  readonly fired = new Map<string, string>();
  readonly failures: string[] = [];

  constructor(
    private readonly prometheus: Prometheus,
    private readonly say: (text: string) => void,
  ) {}

  /** Waits until all of these have fired, or all have ended. */
  async until(alerts: readonly string[], what: 'fired' | 'ended', timeoutMs: number): Promise<void> {
    const begin = performance.now();
    const left = new Set(alerts);
    while (left.size > 0 && performance.now() - begin < timeoutMs) {
      const firing = await this.prometheus.firing();
      for (const alert of left) {
        if (firing.has(alert) !== (what === 'fired')) continue;
        left.delete(alert);
        const after = seconds(performance.now() - begin);
        if (what === 'fired') this.fired.set(alert, after);
        this.say(`${alert} has ${what} after ${after}`);
      }
      await sleep(500);
    }
    for (const alert of left) this.failures.push(`${alert} has not ${what} within ${seconds(timeoutMs)}`);
  }

  /** Brings the cause of alerts about, and ends it. */
  async try(alerts: readonly string[], cause: () => Promise<() => unknown>): Promise<void> {
    const end = await cause();
    await this.until(alerts, 'fired', FIRE_TIMEOUT_MS);
    await end();
    await this.until(alerts, 'ended', END_TIMEOUT_MS);
  }
}

async function run(scenario: ScenarioRun) {
  const vendors = await SandboxVendors.start();
  scenario.atEnd(async () => vendors.stop());
  const installation = await scenario.install({
    postgres: {},
    redis: { size: 'small' },
    workers: 2,
    env: {
      ...vendors.settings,
      SMTP_URL: 'smtp://127.0.0.1:9',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
    },
  });
  const crowded = await installation.addApi({ DATABASE_POOL: '2' });
  const prometheus = await Prometheus.start({
    'portage-api': installation.apis.map(({ baseUrl }) => baseUrl),
    'portage-worker': installation.workers.map(({ baseUrl }) => baseUrl),
  });
  scenario.atEnd(async () => prometheus.stop());
  await installation.operator('supplier', 'set', installation.supplier, '--document-root', 'book');
  for (let index = 0; index < ACCOUNTS; index += 1)
    await installation.schedule(installation.account(`N-${index}`));
  await installation.waitFor('PROCESSED', ACCOUNTS);
  const watch = new Watch(prometheus, scenario.say);

  await until(
    async () =>
      (await prometheus.query('up == 1')).length === installation.programs.length &&
      (await prometheus.firing()).size === 0,
    'Prometheus has not seen all programs',
  );
  const begin = performance.now();
  await normalDay(installation);
  const duration = Math.round(performance.now() - begin);
  const onNormalDay = await prometheus.query(`max_over_time(ALERTS{alertstate="firing"}[${duration}ms])`);
  expect(onNormalDay.map(({ metric }) => metric)).toEqual([]);
  scenario.say('no alert has fired on a normal day');

  const ends: Awaited<ReturnType<Cause>>[] = [];
  for (const cause of Object.values(TOGETHER)) ends.push(await cause(installation, scenario.atEnd));
  await watch.until(Object.keys(TOGETHER), 'fired', FIRE_TIMEOUT_MS);
  for (const end of ends) await end();
  await watch.until(Object.keys(TOGETHER), 'ended', END_TIMEOUT_MS);

  await watch.try(['PortageEventFeedHeldBack'], async () =>
    transactionLeftOpen(installation, scenario.atEnd),
  );
  await watch.try(['PortageDatabasePoolExhausted'], async () => exhaustedPool(installation, crowded.baseUrl));
  await whileSuspended(installation.workers, async () => withoutWorkers(installation, watch));
  const stopped = ['PortageNoWorker', 'PortageWorkerDown', 'PortageNothingProcessed', 'PortageBacklogOld'];
  await watch.until(
    [...stopped, 'PortageStuckProcesses', 'PortageQueueWithoutWorker', 'PortageOrganisationStalled'],
    'ended',
    END_TIMEOUT_MS,
  );
  await watch.try(['PortageQueueAway'], async () => {
    await installation.servers.redis!.suspendPrimary();
    await installation.schedule(installation.account());
    return () => {
      installation.servers.redis!.resume();
    };
  });
  await watch.try(['PortageApiDown'], async () => {
    await installation.kill(...installation.apis);
    return async () => installation.startApi();
  });

  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
  watch.failures.push(...names.filter((name) => !watch.fired.has(name)).map((name) => `${name} never fired`));
  watch.failures.push(...(await findEmptyPanels(prometheus)));
  expect(watch.failures).toEqual([]);
  return {
    alerts: names.length,
    'fired for their causes, and ended': watch.fired.size,
    'fired on a normal day': onNormalDay.length,
    'queries of the board with data': dashboard.panels.flatMap(({ targets = [] }) => targets).length,
  };
}

/** Late documents, a breaker that opens once, a paused supplier with accounts that wait, and nothing else. */
async function normalDay(installation: Installation): Promise<void> {
  for (let index = 0; index < ACCOUNTS; index += 1) await noteWithDocument(installation, `late-${index}.pdf`);
  const held = await installation.addSupplier('HELD');
  await whileSuspended(installation.workers, async () => {
    for (let index = 0; index < ACCOUNTS; index += 1)
      await installation.schedule(account(`H-${index}`, { import_supplier: held }));
    await installation.operator('supplier', 'set-status', held, 'Paused');
  });
  const opened = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => instruct(installation, `pm_sandboxDown${index}`)),
  );
  expect(opened.every((status) => status >= 500)).toBe(true);
  await sleep(NORMAL_MS);
  expect(
    await installation.sql(
      `SELECT DISTINCT status FROM import_process WHERE external_account_number LIKE 'H-%'`,
    ),
  ).toEqual([{ status: 'PENDING' }]);
}

/** Everything that waits while workers are suspended, and then jobs that are lost. */
async function withoutWorkers(installation: Installation, watch: Watch): Promise<void> {
  const other = await installation.addSupplier('WAITS');
  await installation.schedule(account('W-1', { import_supplier: other }));
  // Three minutes without an account that has come to its end.
  await installation.sql('DELETE FROM import_throughput_second');
  await watch.until(
    [
      'PortageNoWorker',
      'PortageWorkerDown',
      'PortageNothingProcessed',
      'PortageBacklogOld',
      'PortageQueueWithoutWorker',
      'PortageOrganisationStalled',
    ],
    'fired',
    FIRE_TIMEOUT_MS,
  );
  await installation.servers.redis!.client.flushall();
  await watch.until(['PortageStuckProcesses'], 'fired', FIRE_TIMEOUT_MS);
}

/** Panels of the board without data in the whole run, or without a label that their legend names. */
async function findEmptyPanels(prometheus: Prometheus): Promise<string[]> {
  const findings: string[] = [];
  for (const { title, targets = [] } of dashboard.panels)
    for (const { expr, legendFormat } of targets) {
      const query = expr.replaceAll('$supplier', '.*');
      const samples = await prometheus.query(`last_over_time((${query})[1h:5s])`);
      const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
      const values = samples.filter(({ value }) => value[1] !== 'NaN');
      if (values.length === 0) findings.push(`${title} has no data: ${query}`);
      const unnamed = labels.filter((label) => !samples.some(({ metric }) => metric[label]));
      if (unnamed.length > 0) findings.push(`${title} has no labels ${unnamed.join(', ')}`);
    }
  return findings;
}

const hasPrometheus = findProgram('prometheus') !== undefined;

export default {
  title: `every alert fires for its cause and ends after it, and none on a normal day (durations divided by ${SHORTENED})`,
  minutes: 15,
  // The queue has to go away without the database.
  backends: ['redis'],
  missing: () => (hasPrometheus ? undefined : MISSING.prometheus),
  run,
} satisfies Scenario;
