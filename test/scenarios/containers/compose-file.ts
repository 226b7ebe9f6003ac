import { setTimeout as sleep } from 'node:timers/promises';
import { check, Clients, LoadBalancer } from '@portage/testing/promises';
import { smallBook } from '../book';
import type { Scenario, ScenarioRun } from '../scenario';
import { Composition } from './composition';
import {
  attempt,
  buildImages,
  compose,
  containersOf,
  docker,
  findMissing,
  inspect,
  logOf,
  stop,
  untilHealthy,
} from './engine';

const MAX_IMAGE_MEGABYTES = 350;
const OUTAGE_MS = 15_000;
/** Lines that one worker may write in an outage: the errors differ, and each is logged once. */
const MAX_OUTAGE_LINES = 20;
const PROGRAMS = ['api', 'worker-1', 'worker-2'];
const KEY = 'rolling';
const ACCOUNTS_PER_SECOND = 20;
/** More than the restarts take. */
const MAX_ACCOUNTS = 100_000;
/** Accounts that clients send before each restart. */
const ACCOUNTS_BETWEEN = 20;
const FINISH_TIMEOUT_MS = 60_000;
/** The largest body that is allowed, with the most values that are allowed. */
const BODY_BYTES = 9_900_000;
const BODY_VALUES = 490_000;

export default {
  title: 'the image and `docker-compose.yml` with two API instances and two workers',
  minutes: 7,
  backends: ['redis'],
  missing: findMissing,
  run: async (run) => {
    await buildImages();
    const [size, base] = await Promise.all(
      ['portage', 'node'].map(async (image) => inspect<number>(`portage-test/${image}`, '.Size')),
    );
    expect(size! / 1e6).toBeLessThanOrEqual(MAX_IMAGE_MEGABYTES);
    const down = async () => compose('down', '--volumes', '--remove-orphans', '--timeout', '1');
    await down();
    run.atEnd(async () => {
      if (!process.env['KEEP_INSTALLATION']) await down();
    });
    const composition = await Composition.start();
    run.atEnd(async () => composition.stop());
    for (const service of PROGRAMS) await expectNoPrivileges(service);
    await composition.importSampleBook();
    run.say('the sample book is imported');
    await readPages(composition);
    const lines = await takeRedisAway();
    const restarts = await restartUnderLoad(composition, run);
    const peak = await sendLargestBodies(composition);
    const stops: Record<string, string> = {};
    for (const service of PROGRAMS)
      for (const container of await containersOf(service)) {
        const { took, grace } = await stop(container);
        stops[service] = `${took.toFixed(1)} s of ${grace}`;
      }
    return {
      image: `${(size! / 1e6).toFixed(0)} MB, of which ${(base! / 1e6).toFixed(0)} are the base image's`,
      [`lines of a worker without Redis for ${OUTAGE_MS / 1_000} s`]: lines,
      ...restarts,
      'most memory of an API': `${peak} of 1024 MiB`,
      'API stopped in': stops['api']!,
      'worker stopped in': stops['worker-1']!,
    };
  },
} satisfies Scenario;

/** User 1000, without capabilities and writable files. */
async function expectNoPrivileges(service: string): Promise<void> {
  for (const container of await containersOf(service)) {
    const execute = async (...args: string[]) => attempt(docker('exec', container, ...args));
    expect((await execute('id', '-u')).stdout.trim()).toBe('1000');
    for (const file of ['/portage/file', '/tmp/file'])
      expect((await execute('touch', file)).status).not.toBe(0);
    expect((await execute('cat', '/proc/1/status')).stdout).toMatch(/^CapEff:\s0+$/m);
  }
}

/** Pages and their files are read from packages, which the image has only in part. */
async function readPages(composition: Composition): Promise<void> {
  const { baseUrl } = composition;
  for (const path of ['/docs/', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/openapi.json'])
    await read(baseUrl + path);
  const page = await read(`${baseUrl}/console/`);
  const files = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, file]) => file!);
  expect(files).not.toEqual([]);
  for (const file of files) await read(new URL(file, `${baseUrl}/console/`).href);
  // The first operator is created as docs/operating.md says.
  const create = ['dist/apps/cli/src/main.js', 'operator', 'create', 'ada', '--role', 'admin', '--json'];
  const settings = '--env-file=/run/portage/settings.env';
  const { stdout } = await docker('exec', composition.apis[0]!.name, 'node', settings, ...create);
  const { one_time_password: password } = JSON.parse(stdout) as { one_time_password: string };
  const headers = { authorization: undefined, origin: baseUrl, 'sec-fetch-site': 'same-origin' };
  const answer = await composition.post('/operator/v1/session', { name: 'ada', password }, headers);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
}

async function read(url: string): Promise<string> {
  const answer = await fetch(url);
  expect([url, answer.status]).toEqual([url, 200]);
  return answer.text();
}

/** A worker says once that Redis is away, and works again when it is back. @returns the lines that it has written */
async function takeRedisAway(): Promise<number> {
  const [redis] = await containersOf('redis');
  const [worker] = await containersOf('worker-1');
  const countLines = async () => (await logOf(worker!)).split('\n').length;
  const before = await countLines();
  await docker('stop', redis!);
  await sleep(OUTAGE_MS);
  const lines = (await countLines()) - before;
  await docker('start', redis!);
  for (const service of ['redis', ...PROGRAMS]) await untilHealthy(...(await containersOf(service)));
  expect(lines).toBeLessThanOrEqual(MAX_OUTAGE_LINES);
  return lines;
}

/** Restarts each API instance and each worker, one after another, while clients follow accounts. No request may fail. */
async function restartUnderLoad(composition: Composition, { random, atEnd, say }: ScenarioRun) {
  const balancer = new LoadBalancer(composition);
  const clients = new Clients(balancer, { random });
  atEnd(() => {
    clients.stop();
    balancer.close();
  });
  for (const api of composition.apis) await balancer.untilReady(api);
  const posting = clients.postAtRate(smallBook(KEY, MAX_ACCOUNTS), ACCOUNTS_PER_SECOND);
  for (const service of PROGRAMS)
    for (const container of await containersOf(service)) {
      await clients.waitForAnswers(clients.answered + ACCOUNTS_BETWEEN);
      const api = await composition.restart(container);
      if (api) await balancer.untilReady(api);
      say(`${service} was restarted: ${clients.summary()}`);
    }
  await clients.waitForAnswers(clients.answered + ACCOUNTS_BETWEEN);
  clients.end();
  await posting;
  const isFinished = await clients.finish(FINISH_TIMEOUT_MS);
  const failed = clients.calls.filter(({ status }) => status === 0 || status >= 400);
  const { calls, accepted, lost, doubled, violations } = await check(balancer, KEY, [clients]);
  expect({ failed, isFinished, lost, doubled, violations }).toEqual({
    failed: [],
    isFinished: true,
    lost: 0,
    doubled: 0,
    violations: [],
  });
  return { 'requests under restarts': calls, failed: 0, accounts: accepted, lost, doubled };
}

/**
 * Sends six of the largest bodies at once, three times. No program may exceed the memory of its pod.
 *
 * @returns the most memory that the API has used, in MiB
 */
async function sendLargestBodies(composition: Composition): Promise<string> {
  const [{ name, baseUrl }] = composition.apis as [(typeof composition.apis)[0]];
  composition.baseUrl = baseUrl;
  const head = `{"import_supplier":"LEGACY","external_account_number":"LARGE","tiny":[{}`;
  const text = `${head}${',{}'.repeat(BODY_VALUES / 2)}],"filler":"`;
  const body = `${text}${'x'.repeat(BODY_BYTES - text.length - 2)}"}`;
  for (let round = 0; round < 3; round += 1) {
    const path = '/v2/data-import/accounts/validate/';
    const sent = Array.from({ length: 6 }, async () => composition.post(path, body));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array<number>(6).fill(400));
  }
  for (const service of PROGRAMS)
    for (const container of await containersOf(service)) {
      expect(await inspect(container, '.State.OOMKilled')).toBe(false);
      expect(await inspect(container, '.RestartCount')).toBe(0);
    }
  // Of control groups 2 and 1.
  const files = '/sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory/memory.max_usage_in_bytes';
  const { stdout } = await attempt(docker('exec', name, 'sh', '-c', `cat ${files} 2>/dev/null`));
  return (Number(stdout) / 2 ** 20).toFixed(0);
}
