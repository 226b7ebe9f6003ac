import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { account, type Answer, METRICS_TOKEN, uploadAnswer } from '@portage/testing';
import { exchange } from '@portage/testing/exchange';
import type { Scenario, ScenarioRun } from '../scenario';
import { type Delays, readDelays } from './event-loop-samples';
import { HOARD, type LargeRequest, largeRequests, smallRequests } from './large-requests';
import { Tenant } from './tenant';

/**
 * The delay of the event loop, in milliseconds, that at most one of a thousand samples may exceed. The short form has too
 * few samples to tell: there it is one of a hundred.
 */
const MAX_DELAY_MS = 100;
/** The longest time for which the event loop may serve no other request. */
const MAX_BLOCK_MS = 250;
/** The same while an upload is read. */
const MAX_UPLOAD_BLOCK_MS = 50;
/** Accounts of an upload. */
const UPLOADED = 5_000;
const ROUNDS = { short: 1, full: 4 };
/** Large requests at the same time. */
const CONCURRENCY = 4;
/** A busy machine must not fail this test: an answer may take as long as this. */
const TIMEOUT_MS = 240_000;
/** The probe writes its samples every half second. */
const FLUSH_MS = 600;
const VICTIM = 'V-1';

/** The longest delay since the last scrape, as the API exposes it to operators. */
const exposedDelay = (metrics: string) =>
  Number(/^portage_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(metrics)?.[1]) * 1_000;

export default {
  title:
    'the event loop is never blocked by hostile or huge requests and uploads, and serves others in between',
  minutes: 3,
  isShort: ['postgres'],
  run: async (run) => {
    const api = await start(run);
    // Compiles the code first, as it is in an API that has run for a minute.
    expect(await sendAll(api, largeRequests('LEGACY', 'HOARD', 0).slice(0, 2))).toEqual([]);
    await readMetrics(api);
    const attack = async () => {
      const wrong: string[] = [];
      for (let round = 1; round <= ROUNDS[run.size]; round += 1)
        for (const requests of [smallRequests, largeRequests])
          wrong.push(...(await sendAll(api, requests('LEGACY', 'HOARD', round))));
      return wrong;
    };
    const { delays, result: wrong, figures } = await measure(api, attack());
    const exposed = exposedDelay(await readMetrics(api));
    run.say(`requests: ${JSON.stringify({ ...figures, exposed })}`);
    expect(wrong).toEqual([]);
    expect(run.size === 'full' ? delays.p999 : delays.p99).toBeLessThan(MAX_DELAY_MS);
    expect(delays.max).toBeLessThan(MAX_BLOCK_MS);
    // The metric of operators has seen what the probe has seen.
    expect(exposed).toBeGreaterThan(delays.max / 2);

    const uploaded = await measure(api, upload(api));
    run.say(`upload: ${JSON.stringify(uploaded.figures)}`);
    expect(uploaded.result).toEqual(uploadAnswer({ lines: UPLOADED, accepted: UPLOADED }));
    expect(uploaded.delays.max).toBeLessThan(MAX_UPLOAD_BLOCK_MS);
    return undefined;
  },
} satisfies Scenario;

/** An API with a probe in its event loop, a supplier with an account of many rows, and one of another organisation. */
interface ProbedApi {
  baseUrl: string;
  token: string;
  victim: Tenant;
  /** The file of the probe. */
  samples: string;
}

async function start({ install, atEnd }: ScenarioRun): Promise<ProbedApi> {
  const installation = await install({ postgres: {}, env: { LOG_LEVEL: 'warn' } });
  const samples = join(installation.directory, 'event-loop-samples.jsonl');
  const { baseUrl } = await installation.addApi({
    NODE_OPTIONS: `--require ${join(__dirname, 'event-loop-probe.cjs')}`,
    EVENT_LOOP_SAMPLES: samples,
  });
  await installation.schedule(account('HOARD'));
  await installation.waitFor('PROCESSED', 1, 120_000);
  const victim = await Tenant.join(installation, 'victim');
  atEnd(async () => victim.leave());
  expect((await victim.schedule(victim.account(VICTIM))).status).toBe(201);
  for (const statement of HOARD) await installation.sql(statement, ['HOARD']);
  return { baseUrl, token: installation.token, victim, samples };
}

async function send(
  { baseUrl, token }: Pick<ProbedApi, 'baseUrl' | 'token'>,
  method: string,
  path: string,
  body?: Buffer,
  more: Record<string, string> = {},
): Promise<Answer> {
  const content = { 'content-type': 'application/json', 'content-length': String(body?.length ?? 0) };
  const headers = { authorization: `Token ${token}`, ...(body && content), ...more };
  return exchange(method, baseUrl + path, { headers, body, timeoutMs: TIMEOUT_MS });
}

async function readMetrics(api: ProbedApi): Promise<string> {
  return (await send(api, 'GET', '/metrics', undefined, { authorization: `Bearer ${METRICS_TOKEN}` })).text;
}

/** Sends requests, a few at a time, and returns those whose answer is wrong. */
async function sendAll(api: ProbedApi, requests: readonly LargeRequest[]): Promise<string[]> {
  const waiting = [...requests];
  const wrong: string[] = [];
  const sender = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { status, text } = await send(api, 'POST', next.path, next.body, next.headers);
      if (!next.statuses.includes(status)) wrong.push(`${next.name}: ${status} ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  return wrong;
}

/** Uploads accounts. @returns the answer */
async function upload(api: ProbedApi): Promise<unknown> {
  const start = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, 'Z');
  const submission = {
    import_supplier: 'LEGACY',
    reference: 'isolation',
    task_params: { schedule_window_start: start },
  };
  const submissions = '/v2/data-import/submissions/';
  const opened = await send(api, 'POST', submissions, Buffer.from(JSON.stringify(submission)));
  const lines = Array.from({ length: UPLOADED }, (_, index) => `${JSON.stringify(account(`UP-${index}`))}\n`);
  const path = `${submissions}${String(opened.body.id)}/accounts/`;
  const type = { 'content-type': 'application/x-ndjson' };
  return (await send(api, 'POST', path, Buffer.from(lines.join('')), type)).body as unknown;
}

/** Another organisation reads a status again and again until the work is done. */
async function measure<Result>(
  api: ProbedApi,
  work: Promise<Result>,
): Promise<{ result: Result; delays: Delays; figures: object }> {
  const from = Date.now();
  const latencies: number[] = [];
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  const path = `/v2/data-import/accounts/${api.victim.supplier}/${VICTIM}/`;
  while (!isDone) {
    const since = performance.now();
    const { status } = await send({ baseUrl: api.baseUrl, token: api.victim.token }, 'GET', path);
    if (status === 200) latencies.push(performance.now() - since);
    await sleep(10);
  }
  const result = await done;
  await sleep(FLUSH_MS);
  const delays = readDelays(api.samples, from, Date.now());
  const slowestRead = Math.max(...latencies);
  return { result, delays, figures: { ...delays, slowestRead, reads: latencies.length } };
}
