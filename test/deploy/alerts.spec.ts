import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { announceSkipped, findProgram, MISSING, newDirectory } from '@portage/testing';
import { Alertmanager } from './alertmanager';
import { ROOT, yaml } from './deployment';
import { exposedMetrics, TARGET_LABELS } from './exposed-metrics';
import { parseQuery } from './promql';

const SAMPLES_PER_MINUTE = 2;
const END_MINUTES = 100;

/** The cause of an alert begins and ends at these minutes, if a case does not say otherwise. */
const BEGIN = 10;
const END = 45;

type Series = Record<string, readonly number[]>;

/** Values for the minutes until each of the given ones; the last one holds until the end of the test. */
function gauge(before: number, during: number, after = before, end = END): number[] {
  return [
    ...Array<number>(BEGIN * SAMPLES_PER_MINUTE).fill(before),
    ...Array<number>((end - BEGIN) * SAMPLES_PER_MINUTE).fill(during),
    ...Array<number>((END_MINUTES - end) * SAMPLES_PER_MINUTE).fill(after),
  ];
}

/** A counter that grows by these numbers in a minute. */
function counter(before: number, during = before, after = before, end = END): number[] {
  let sum = 0;
  return gauge(before, during, after, end).map((rate) => (sum += rate / SAMPLES_PER_MINUTE));
}

/** A counter that grows within one minute only. */
const burst = (count: number) => counter(0, count, 0, BEGIN + 1);
const API = 'job="portage-api",instance="api"';
const WORKER = 'job="portage-worker",instance="worker"';

/** A service that works, with all series that alerts read. */
const HEALTHY: Series = {
  [`up{${API}}`]: gauge(1, 1),
  [`up{${WORKER}}`]: gauge(1, 1),
  [`portage_queue_jobs{${API},queue="documents",state="waiting"}`]: gauge(0, 5),
  [`portage_queue_paused{${API},queue="documents"}`]: gauge(0, 0),
  [`portage_queue_workers{${API},queue="documents"}`]: gauge(1, 1),
  [`portage_queue_oldest_waiting_seconds{${API},queue="documents"}`]: gauge(0, 2),
  [`portage_organisation_stalled_seconds{${API},organisation="Supplier"}`]: gauge(0, 0),
  [`portage_http_request_duration_seconds_count{${API},method="POST",route="/v2",status="201"}`]:
    counter(600),
  [`portage_job_duration_seconds_count{${WORKER},queue="documents",outcome="completed"}`]: counter(60),
  [`portage_account_imports_total{${WORKER},outcome="processed"}`]: counter(60),
  [`portage_submission_lines{${API},supplier="S",outcome="accepted"}`]: counter(60),
  [`portage_submission_lines{${API},supplier="S",outcome="refused"}`]: counter(1),
  [`portage_vendor_calls_total{${WORKER},vendor="STRIPE",outcome="verified",code=""}`]: counter(6),
  [`portage_vendor_breaker{${WORKER},vendor="STRIPE",state="closed"}`]: gauge(1, 1),
  [`portage_refresh_token_reuse_total{${API}}`]: counter(0),
};

interface Case {
  /** Series in addition to those of a healthy service, or instead of them. */
  series: Series;
  /** Minutes from the cause until the alert may fire, and until it has to. */
  fires: readonly [number, number];
  /** Minutes from the end of the cause until the alert has ended. */
  ends?: number;
  end?: number;
  /** Alerts that fire with it. */
  with?: readonly string[];
}

const away = (): number[] => gauge(1, 0);
const CASES: Readonly<Record<string, Case>> = {
  PortageBacklogOld: {
    series: {
      [`portage_queue_oldest_waiting_seconds{${API},queue="documents"}`]: gauge(0, 700),
    },
    fires: [4, 6],
  },
  PortageNothingProcessed: {
    // The other queues go on.
    series: {
      [`portage_queue_jobs{${API},queue="emails",state="prioritized"}`]: gauge(0, 3),
    },
    fires: [4, 6],
  },
  PortageOrganisationStalled: {
    series: { [`portage_organisation_stalled_seconds{${API},organisation="Other"}`]: gauge(0, 700) },
    fires: [1, 3],
  },
  PortageQueueWithoutWorker: {
    series: { [`portage_queue_workers{${API},queue="emails"}`]: away() },
    fires: [1, 3],
  },
  PortageQueuePaused: {
    // Its jobs wait, which is no other alert.
    series: {
      [`portage_queue_paused{${API},queue="emails"}`]: gauge(0, 1),
      [`portage_queue_jobs{${API},queue="emails",state="waiting"}`]: gauge(0, 9),
    },
    fires: [29, 31],
  },
  PortageQueueAway: {
    series: {
      [`portage_queue_jobs{${API},queue="documents",state="waiting"}`]: gauge(0, NaN, 0),
    },
    fires: [2, 9],
  },
  PortageDatabaseAway: {
    series: { [`portage_queue_workers{${API},queue="documents"}`]: gauge(1, NaN, 1) },
    fires: [1, 8],
  },
  PortageErrorRatio: {
    series: {
      [`portage_http_request_duration_seconds_count{${API},method="POST",route="/v2",status="500"}`]: counter(
        0,
        10,
        0,
      ),
    },
    fires: [4, 10],
    ends: 6,
  },
  PortageJobFailureRatio: {
    series: { [`portage_job_failures_total{${WORKER},queue="documents",code="refused"}`]: counter(0, 30, 0) },
    fires: [14, 21],
    ends: 16,
  },
  PortageAccountErrorRatio: {
    series: { [`portage_account_imports_total{${WORKER},outcome="errored"}`]: counter(0, 30, 0) },
    fires: [14, 21],
    ends: 16,
  },
  PortageReleaseWaiting: {
    series: { [`portage_release_waiting_seconds{${API},supplier="S"}`]: gauge(0, 260_000) },
    fires: [4, 6],
  },
  PortageLinesRefused: {
    series: { [`portage_submission_lines{${API},supplier="T",outcome="refused"}`]: burst(100) },
    fires: [0, 3],
    end: BEGIN + 1,
    ends: 61,
  },
  PortageInstructionsRefused: {
    series: {
      [`portage_vendor_calls_total{${WORKER},vendor="STRIPE",outcome="refused",code="instruction_expired"}`]:
        burst(400),
    },
    fires: [0, 3],
    end: BEGIN + 1,
    ends: 61,
  },
  PortageDocumentsMissing: {
    series: { [`portage_unsettled_documents{${API},supplier="S",state="MISSING"}`]: gauge(0, 1) },
    fires: [14, 16],
  },
  PortageSubmissionNotReconciled: {
    series: { [`portage_submissions_not_reconciled{${API},supplier="S"}`]: gauge(0, 1) },
    fires: [29, 31],
  },
  PortageStuckProcesses: { series: { [`portage_stuck_processes{${API}}`]: gauge(0, 3) }, fires: [9, 11] },
  PortageEventFeedHeldBack: {
    series: { [`portage_event_feed_held_back_seconds{${API}}`]: gauge(0, 90) },
    fires: [1, 3],
  },
  PortageVendorBreakerOpen: {
    // Seldom calls: the breaker is half-open at most scrapes.
    series: {
      [`portage_vendor_breaker{${WORKER},vendor="STRIPE",state="closed"}`]: away(),
      [`portage_vendor_breaker{${WORKER},vendor="STRIPE",state="half-open"}`]: gauge(0, 1),
      [`portage_vendor_calls_total{${WORKER},vendor="STRIPE",outcome="unavailable",code="vendor_error"}`]:
        counter(0, 1, 0),
    },
    fires: [2, 5],
  },
  PortageWorkerDown: {
    series: { 'up{job="portage-worker",instance="other"}': away() },
    fires: [1, 3],
  },
  PortageNoWorker: { series: { [`up{${WORKER}}`]: away() }, fires: [0, 2], with: ['PortageWorkerDown'] },
  PortageApiDown: { series: { [`up{${API}}`]: away() }, fires: [0, 2] },
  PortageDatabasePoolExhausted: {
    series: { [`portage_database_pool_connections{${API},state="waiting"}`]: gauge(0, 2) },
    fires: [4, 6],
  },
  PortageEventLoopLate: {
    series: { [`nodejs_eventloop_lag_p99_seconds{${API}}`]: gauge(0.01, 0.9) },
    fires: [4, 6],
  },
  PortageRefreshTokenReuse: {
    series: { [`portage_refresh_token_reuse_total{${API}}`]: burst(4) },
    fires: [-1, 2],
    end: BEGIN + 1,
    ends: 16,
  },
  PortageWebhookLag: {
    series: { [`portage_webhook_lag_seconds{${API},supplier="S",endpoint="1"}`]: gauge(0, 1_000) },
    fires: [4, 6],
  },
  PortageWebhookDisabled: {
    series: {
      [`portage_webhook_endpoint_disabled{${API},supplier="S",endpoint="1",reason="failing"}`]: gauge(0, 1),
    },
    fires: [0, 2],
  },
};

/** Days on which no operator has to do anything. */
const NORMAL: Readonly<Record<string, Series>> = {
  'nothing arrives for hours': {
    [`portage_http_request_duration_seconds_count{${API},method="POST",route="/v2",status="201"}`]: counter(
      600,
      0,
    ),
    [`portage_job_duration_seconds_count{${WORKER},queue="documents",outcome="completed"}`]: counter(60, 0),
    [`portage_queue_jobs{${API},queue="documents",state="waiting"}`]: gauge(5, 0),
    [`portage_account_imports_total{${WORKER},outcome="processed"}`]: counter(60, 0),
  },
  'documents are late': {
    [`portage_job_duration_seconds_count{${WORKER},queue="documents",outcome="awaited"}`]: counter(
      0,
      800,
      50,
    ),
    [`portage_job_retries_total{${WORKER},queue="documents"}`]: counter(0, 800, 50),
    [`portage_queue_jobs{${API},queue="documents",state="delayed"}`]: gauge(0, 2_927),
  },
  'a breaker opens once, and no call follows': {
    [`portage_vendor_breaker{${WORKER},vendor="STRIPE",state="closed"}`]: gauge(1, 0, 0),
    [`portage_vendor_breaker{${WORKER},vendor="STRIPE",state="half-open"}`]: gauge(0, 1, 1),
    [`portage_vendor_calls_total{${WORKER},vendor="STRIPE",outcome="unavailable",code="vendor_error"}`]:
      burst(20),
    [`portage_http_request_duration_seconds_count{${API},method="POST",route="/v2",status="500"}`]: burst(20),
    [`portage_http_request_duration_seconds_count{${API},method="POST",route="/v2",status="201"}`]: counter(
      600,
      0,
    ),
  },
  'a supplier is paused, and its accounts wait': {
    [`portage_import_processes{${API},supplier="S",status="PENDING"}`]: gauge(0, 1_796),
    [`portage_account_imports_total{${WORKER},outcome="held"}`]: counter(0, 30),
  },
  'a queue is paused for ten minutes': {
    [`portage_queue_paused{${API},queue="documents"}`]: gauge(0, 1, 0, BEGIN + 10),
    [`portage_queue_jobs{${API},queue="documents",state="waiting"}`]: gauge(5, 900, 5, BEGIN + 10),
    [`portage_job_duration_seconds_count{${WORKER},queue="documents",outcome="completed"}`]: counter(
      60,
      0,
      60,
      BEGIN + 10,
    ),
  },
  'pages of operators fail': {
    [`portage_http_request_duration_seconds_count{${API},method="GET",route="/operator/v1/overview",status="503"}`]:
      counter(0, 30, 0),
  },
  'a job fails beside many that wait for their file': {
    [`portage_job_failures_total{${WORKER},queue="documents",code="store_unavailable"}`]: counter(0, 1, 0),
    [`portage_job_duration_seconds_count{${WORKER},queue="documents",outcome="completed"}`]: counter(60, 1),
    [`portage_job_duration_seconds_count{${WORKER},queue="documents",outcome="awaited"}`]: counter(0, 90, 0),
  },
  'one job fails in a quiet night': {
    [`portage_job_failures_total{${WORKER},queue="emails",code="refused"}`]: burst(1),
    [`portage_job_duration_seconds_count{${WORKER},queue="emails",outcome="failed"}`]: burst(1),
  },
  'documents are missing for good, and their accounts are known': {
    [`portage_job_failures_total{${WORKER},queue="documents",code="path_does_not_exist_in_file_store"}`]:
      counter(0, 60),
    [`portage_job_duration_seconds_count{${WORKER},queue="documents",outcome="failed"}`]: counter(0, 60),
  },
  'an endpoint of a webhook is disabled by its supplier': {
    [`portage_webhook_endpoint_disabled{${API},supplier="S",endpoint="1",reason="manual"}`]: gauge(0, 1),
  },
};

const rules: { alert: string }[] = yaml('deploy/prometheus/alerts.yml').groups.flatMap(
  ({ rules: ofGroup }: { rules: { alert: string }[] }) => ofGroup,
);

/** A test of promtool, with the alerts that fire at some minutes. */
function scenario(
  name: string,
  changed: Series,
  firing: readonly (readonly [number, readonly string[]])[],
  alerts = 'ALERTS{alertstate="firing"}',
) {
  return {
    name,
    interval: `${60 / SAMPLES_PER_MINUTE}s`,
    input_series: Object.entries({ ...HEALTHY, ...changed }).map(([series, values]) => ({
      series,
      values: values.map((value) => (Number.isNaN(value) ? '_' : value)).join(' '),
    })),
    promql_expr_test: firing.map(([minute, expected]) => ({
      expr: `group by (alertname) (${alerts})`,
      eval_time: `${minute}m`,
      exp_samples: expected.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    })),
  };
}

const tests = [
  ...Object.entries(CASES).map(([alert, { series, fires, ends = 2, end = END, with: others = [] }]) =>
    scenario(alert, series, [
      [BEGIN + fires[0], []],
      [BEGIN + fires[1], [alert, ...others].sort()],
      [end + ends, []],
    ]),
  ),
  ...Object.entries(NORMAL).map(([name, series]) =>
    scenario(
      name,
      series,
      [[END_MINUTES, []]],
      `last_over_time(ALERTS{alertstate="firing"}[${END_MINUTES}m])`,
    ),
  ),
];

type Labels = Readonly<Record<string, string>>;

interface InhibitRule {
  source_matchers: string[];
  target_matchers: string[];
  equal?: string[];
}
const { inhibit_rules: inhibitRules } = yaml('deploy/prometheus/inhibition.yml') as {
  inhibit_rules: InhibitRule[];
};
const namedBy = (matchers: readonly string[]) =>
  matchers.flatMap((matcher) => /^alertname=~?"([\w|]+)"$/.exec(matcher)![1]!.split('|'));

/** Alerts that fire at the same time for one cause, and those of them that notify. */
const CAUSES: readonly (readonly [cause: string, firing: readonly Labels[], notifying: readonly string[]])[] =
  [
    [
      'no worker runs',
      [
        { alertname: 'PortageNoWorker' },
        { alertname: 'PortageWorkerDown', instance: 'one' },
        { alertname: 'PortageWorkerDown', instance: 'other' },
        { alertname: 'PortageQueueWithoutWorker', queue: 'transactions' },
        { alertname: 'PortageNothingProcessed', queue: 'account-imports' },
        { alertname: 'PortageBacklogOld', queue: 'account-imports' },
        { alertname: 'PortageOrganisationStalled', organisation: 'Supplier' },
        { alertname: 'PortageStuckProcesses' },
        { alertname: 'PortageErrorRatio' },
      ],
      ['PortageNoWorker'],
    ],
    [
      'the database is away',
      [
        { alertname: 'PortageDatabaseAway' },
        { alertname: 'PortageQueueAway' },
        { alertname: 'PortageErrorRatio' },
        { alertname: 'PortageDatabasePoolExhausted', instance: 'api' },
      ],
      ['PortageDatabaseAway'],
    ],
    [
      'one queue has no worker, and another one is slow',
      [
        { alertname: 'PortageQueueWithoutWorker', queue: 'emails' },
        { alertname: 'PortageNothingProcessed', queue: 'emails' },
        { alertname: 'PortageBacklogOld', queue: 'documents' },
      ],
      ['PortageBacklogOld', 'PortageQueueWithoutWorker'],
    ],
  ];

describe('the rules of inhibition', () => {
  it('name alerts that exist, and never one that inhibits itself', () => {
    const known = new Set(rules.map(({ alert }) => alert));
    for (const { source_matchers: source, target_matchers: targets } of inhibitRules) {
      expect([...namedBy(source), ...namedBy(targets)].filter((name) => !known.has(name))).toEqual([]);
      expect(namedBy(targets)).not.toContain(namedBy(source)[0]);
    }
  });

  const program = ['prometheus-alertmanager', 'alertmanager'].find((name) => findProgram(name) !== undefined);
  if (program === undefined) {
    announceSkipped('the inhibition of alerts', MISSING.alertmanager);
    it.skip(MISSING.alertmanager, () => undefined);
    return;
  }
  it.each(CAUSES)(
    'leave one notification when %s',
    async (_cause, firing, notifying) => {
      const manager = await Alertmanager.start(program, inhibitRules);
      try {
        expect(await manager.notifying(firing)).toEqual(notifying);
      } finally {
        await manager.stop();
      }
    },
    120_000,
  );
});

describe('the alerts', () => {
  it('are all tried, with metrics and labels that Portage exposes', () => {
    expect(Object.keys(CASES).sort()).toEqual(rules.map(({ alert }) => alert).sort());
    const known = exposedMetrics();
    for (const { input_series } of tests)
      for (const { selectors } of input_series.map(({ series }) => parseQuery(series)))
        for (const { metric, matchers } of selectors) {
          const labels = [...(known.get(metric) ?? []), ...TARGET_LABELS];
          expect([
            metric,
            known.has(metric),
            matchers.filter(({ label }) => !labels.includes(label)),
          ]).toEqual([metric, true, []]);
        }
  });

  if (findProgram('promtool') === undefined) {
    announceSkipped('the times of the alerts', MISSING.prometheus);
    it.skip(MISSING.prometheus, () => undefined);
    return;
  }
  it('fire within their times for their causes, end after them, and do not fire on a normal day', async () => {
    const folder = newDirectory();
    const file = join(folder, 'tests.yml');
    const rule_files = [join(ROOT, 'deploy/prometheus/alerts.yml')];
    await writeFile(file, JSON.stringify({ rule_files, evaluation_interval: '30s', tests }));
    const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', file]).catch(
      (error: unknown) => {
        const { stdout: out, stderr } = error as { stdout: string; stderr: string };
        return { stdout: out + stderr };
      },
    );
    expect(stdout).toMatch(/SUCCESS/);
  });
});
