// npm run test:containers: builds the image, starts docker-compose.yml, imports the sample book, takes Redis away, restarts
// API and workers one after another under load, sends the heaviest allowed bodies, and stops the programs. Needs a container
// engine with `docker compose`, root and mmdebstrap; what is missing it names, and fails if PORTAGE_TEST_CONTAINERS=1. With --no-build it uses the
// images of the last run; PORTAGE_KEEP_CONTAINERS=1 leaves everything running.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/prepare.mjs';
import { Clients } from './clients.mjs';
import {
  addressOf,
  allowMinutes,
  compose,
  containersOf,
  docker,
  inspect,
  logOf,
  stop,
  timeLeft,
} from './compose.mjs';

const MAX_IMAGE_MEGABYTES = 350;
const MAX_BUILD_MINUTES = 25;
const MAX_TEST_MINUTES = 25;
const OUTAGE_MS = 15_000;
/** Lines about the queue that one worker may write in an outage: the errors differ, and each is logged once. */
const MAX_OUTAGE_LINES = 20;
const READY_TIMEOUT_S = 300;
/** The largest body that is allowed, with the most values that are allowed. */
const BODY_BYTES = 9_900_000;
const BODY_VALUES = 490_000;

const isBuilding = !process.argv.includes('--no-build');

/** What this machine lacks, and how to mend it. */
function findMissing() {
  const runs = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  const missing = [];
  if (!runs('docker', 'info'))
    missing.push('no container engine answers (docker info): install and start the Debian package docker.io');
  if (!runs('docker', 'compose', 'version'))
    missing.push(
      'docker has no compose plugin: install docker-compose of Debian 13, or docker-compose-plugin of Docker',
    );
  // An earlier run has left the first base image.
  const hasBase = runs('docker', 'image', 'inspect', 'portage-test/debian');
  if (isBuilding && !hasBase && !runs('mmdebstrap', '--version'))
    missing.push('the base images cannot be built: install the Debian package mmdebstrap');
  if (isBuilding && !hasBase && process.getuid?.() !== 0)
    missing.push('the base images cannot be built: run the command as root');
  return missing;
}

const missing = findMissing();
if (missing.length > 0) {
  process.stdout.write('\nSKIPPED: NO CONTAINER WAS TESTED.\n');
  for (const reason of missing) process.stdout.write(`- ${reason}\n`);
  process.stdout.write('0 passed, 0 failed, 1 skipped\n');
  process.exit(process.env['PORTAGE_TEST_CONTAINERS'] === '1' ? 1 : 0);
}

let passed = 0;
let failed = 0;
let apiKey;

async function check(title, test) {
  const start = Date.now();
  let figures;
  try {
    figures = await test();
    passed += 1;
    process.stdout.write(`ok      ${title}`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`FAILED  ${title}\n${error.stack}\n`);
  }
  process.stdout.write(` (${((Date.now() - start) / 1_000).toFixed(0)} s)${figures ? `: ${figures}` : ''}\n`);
}

function expect(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`);
}

/** Runs a command of the operator and returns its JSON. */
function operate(...args) {
  return JSON.parse(compose(['run', '--rm', '--no-deps', 'cli', ...args, '--json']).stdout);
}

function buildImages() {
  execFileSync(join(root, 'test', 'containers', 'images', 'build.sh'), {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: timeLeft(),
  });
  compose(['build', 'api']);
}

function measureImage() {
  const megabytes = inspect('portage-test/portage', '.Size') / 1e6;
  const base = inspect('portage-test/node', '.Size') / 1e6;
  if (megabytes > MAX_IMAGE_MEGABYTES) throw new Error(`${megabytes.toFixed(0)} MB`);
  return `${megabytes.toFixed(0)} MB, of which ${base.toFixed(0)} MB are the base image's`;
}

function start() {
  compose(['up', '--detach', '--wait', '--wait-timeout', String(READY_TIMEOUT_S)]);
}

function runsWithoutPrivileges(service) {
  for (const container of containersOf(service)) {
    const run = (...args) => docker(['exec', container, ...args], { mayFail: true });
    expect(run('id', '-u').stdout.trim(), '1000', `the user of ${service}`);
    if (run('touch', '/portage/file').status === 0) throw new Error(`${service} can write to its image`);
    if (run('touch', '/tmp/file').status === 0) throw new Error(`${service} can write to /tmp`);
    if (!/^CapEff:\s0+$/m.test(run('cat', '/proc/1/status').stdout))
      throw new Error(`${service} has capabilities`);
  }
}

function importSampleBook() {
  operate('organisation', 'create', 'Demo');
  operate('supplier', 'create', 'DEMO', '--organisation', 'Demo');
  apiKey = operate('api-key', 'issue', '--organisation', 'Demo').api_key;
  const args = ['--base-url', 'http://api:3000', '--file', '/examples/book.ndjson'];
  const { status, stdout, stderr } = compose(
    ['run', '--rm', '--env', `PORTAGE_API_KEY=${apiKey}`, 'import-book', ...args],
    { mayFail: true },
  );
  // 12 of its 212 accounts are faulty on purpose.
  expect(status, 1, `the status of the importer (${stdout}${stderr})`);
  const report = JSON.stringify(operate('supplier', 'report', 'DEMO'));
  if (!/"?processed"?:\s*200/i.test(report)) throw new Error(`not 200 accounts are imported: ${report}`);
}

/** Pages and their files are read from packages, which the image has only in part. */
async function readsPages() {
  const [api] = containersOf('api');
  const url = `http://${addressOf(api)}:3000`;
  for (const path of ['/docs/', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/openapi.json'])
    await read(url + path);
  const page = await read(`${url}/console/`);
  const files = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  if (files.length === 0) throw new Error(`the console has no scripts: ${page}`);
  for (const file of files) await read(new URL(file, `${url}/console/`).href);
  // The first operator is created as docs/operating.md says.
  const create = ['dist/apps/cli/src/main.js', 'operator', 'create', 'ada', '--role', 'admin', '--json'];
  const { stdout } = docker(['exec', api, 'node', '--env-file=/run/portage/settings.env', ...create]);
  const answer = await fetch(`${url}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ name: 'ada', password: JSON.parse(stdout).one_time_password }),
  });
  expect(answer.status, 201, `the status of the login (${await answer.text()})`);
  return `the console and ${files.length} files, and a login`;
}

async function read(url) {
  const answer = await fetch(url);
  expect(answer.status, 200, url);
  return answer.text();
}

async function takeRedisAway() {
  const [redis] = containersOf('redis');
  const [worker] = containersOf('worker-1');
  const before = logOf(worker).length;
  docker(['stop', redis]);
  await sleep(OUTAGE_MS);
  const lines = logOf(worker).slice(before).split('\n').filter(Boolean);
  docker(['start', redis]);
  for (const service of ['redis', 'api', 'worker-1', 'worker-2']) await untilHealthy(service);
  if (lines.length > MAX_OUTAGE_LINES)
    throw new Error(`${lines.length} lines, such as\n${lines.slice(0, 3).join('\n')}`);
  return `${lines.length} lines of a worker in ${OUTAGE_MS / 1_000} s`;
}

async function untilHealthy(service) {
  const end = Date.now() + READY_TIMEOUT_S * 1_000;
  for (const container of containersOf(service))
    while (inspect(container, '.State.Health.Status') !== 'healthy') {
      if (Date.now() > end) throw new Error(`${service} is not healthy:\n${logOf(container)}`);
      await sleep(500);
    }
}

/** Restarts each API instance and each worker, one after another, while clients post accounts and read their status. */
async function restartUnderLoad() {
  operate('supplier', 'create', 'ROLLING', '--organisation', 'Demo');
  const instances = containersOf('api');
  const clients = new Clients(instances, 'ROLLING');
  await clients.open(apiKey);
  const restarts = async () => {
    await sleep(2_000);
    for (const service of ['api', 'worker-1', 'worker-2'])
      for (const container of containersOf(service)) {
        const { status } = await stop(container);
        expect(status, 0, `the exit status of ${service}`);
        docker(['start', container]);
        if (service === 'api') {
          clients.forget(container);
          await clients.waitUntilReady(container, READY_TIMEOUT_S * 1_000);
        } else await untilHealthy(service);
      }
    await sleep(2_000);
  };
  const end = restarts();
  // It is awaited below, after the clients have ended.
  end.catch(() => undefined);
  const { requests, accounts, failures } = await clients.importUntil(end);
  clients.close();
  await end;
  if (failures.length > 0)
    throw new Error(
      `${failures.length} of ${requests} requests failed, such as\n${failures.slice(0, 5).join('\n')}`,
    );
  await untilImported('ROLLING', accounts);
  return `${requests} requests, 0 failed; ${accounts} accounts, each imported`;
}

async function untilImported(supplier, accounts) {
  const end = Date.now() + 60_000;
  for (;;) {
    const report = JSON.stringify(operate('supplier', 'report', supplier));
    if (new RegExp(`"?processed"?:\\s*${accounts}\\b`, 'i').test(report)) return;
    if (Date.now() > end) throw new Error(`not ${accounts} accounts are imported: ${report}`);
    await sleep(1_000);
  }
}

/** Sends six of the largest bodies at once, three times. */
async function staysWithinMemory() {
  const instances = containersOf('api');
  const clients = new Clients(instances.slice(0, 1), 'DEMO');
  await clients.open(apiKey);
  const body = largestBody();
  const statuses = new Map();
  for (let round = 0; round < 3; round += 1)
    for (const status of await Promise.all(
      Array.from({ length: 6 }, async () => clients.post('/v2/data-import/accounts/validate/', body)),
    ))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  clients.close();
  for (const container of [...instances, ...containersOf('worker-1')]) {
    expect(inspect(container, '.State.OOMKilled'), false, 'killed for its memory');
    expect(inspect(container, '.RestartCount'), 0, 'restarts');
  }
  const cgroup = ['/sys/fs/cgroup/memory.peak', '/sys/fs/cgroup/memory/memory.max_usage_in_bytes'];
  const { stdout } = docker(['exec', instances[0], 'sh', '-c', `cat ${cgroup.join(' ')} 2>/dev/null`], {
    mayFail: true,
  });
  const answers = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  return `answers ${answers}; peak ${(Number(stdout) / 2 ** 20).toFixed(0)} MiB of 1024`;
}

/** A body of tiny objects, the rest of which is one text. */
function largestBody() {
  const head = `{"import_supplier":"DEMO","external_account_number":"LARGE","tiny":[{}`;
  const text = `${head}${',{}'.repeat(BODY_VALUES / 2)}],"filler":"`;
  return `${text}${'x'.repeat(BODY_BYTES - text.length - 2)}"}`;
}

async function stopsWithinGrace(service) {
  const figures = [];
  for (const container of containersOf(service)) {
    const { status, seconds, grace } = await stop(container);
    expect(status, 0, `the exit status of ${service} (${logOf(container).split('\n').slice(-4).join('\n')})`);
    if (seconds >= grace) throw new Error(`${service} took ${seconds} s`);
    figures.push(`${seconds.toFixed(1)} s of ${grace}`);
  }
  return figures.join(', ');
}

const down = () => compose(['down', '--volumes', '--remove-orphans', '--timeout', '1']);

try {
  allowMinutes(MAX_BUILD_MINUTES);
  if (isBuilding) await check('the image is built from the Dockerfile', buildImages);
  allowMinutes(MAX_TEST_MINUTES);
  await check(`the image has at most ${MAX_IMAGE_MEGABYTES} MB`, measureImage);
  down();
  await check('docker compose up --wait starts two API instances and two workers', start);
  if (failed === 0) {
    for (const service of ['api', 'worker-1'])
      await check(`${service} runs as user 1000, without capabilities and writable files`, () =>
        runsWithoutPrivileges(service),
      );
    await check('the sample book is imported', importSampleBook);
    await check(
      'the pages of the API and the console have their files, and an operator signs in',
      readsPages,
    );
    await check('a worker says once that Redis is away, and works again when it is back', takeRedisAway);
    await check('no request fails while API and workers restart one after another', restartUnderLoad);
    await check(
      'the API keeps within the memory of its pod with six of the largest bodies',
      staysWithinMemory,
    );
    for (const service of ['api', 'worker-1', 'worker-2'])
      await check(`${service} stops within its grace period with status 0`, () => stopsWithinGrace(service));
  }
} finally {
  allowMinutes(2);
  if (process.env['PORTAGE_KEEP_CONTAINERS'] !== '1') down();
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
