// npm run test:containers: builds the image, starts the services of docker-compose.yml, imports the sample book, takes
// Redis away, and stops the programs. Needs a container engine; without one it says so, and fails if
// PORTAGE_TEST_CONTAINERS=1. With --no-build it uses the images of the last run; PORTAGE_KEEP_CONTAINERS=1 leaves everything
// running.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/prepare.mjs';
import { Composition, docker } from './composition.mjs';

const IMAGE = 'portage-test/portage';
const FOLDER = join(root, 'test', 'containers');
const OUTAGE_MS = 15_000;
/** Lines about the queue that one worker may write in an outage: the errors differ, and each is logged once. */
const MAX_OUTAGE_LINES = 20;

const engine = docker(['info'], { mayFail: true });
if (engine.status !== 0) {
  process.stdout.write('\nSKIPPED: no container engine answers (docker info), so NO CONTAINER WAS TESTED.\n');
  process.stdout.write('0 passed, 0 failed, 1 skipped\n');
  process.exit(process.env['PORTAGE_TEST_CONTAINERS'] === '1' ? 1 : 0);
}

const composition = new Composition(
  root,
  'portage-test',
  { portage: IMAGE, postgres: 'portage-test/postgres', redis: 'portage-test/debian' },
  Object.fromEntries(
    ['object-store', 'mail-catcher', 'stripe-mock'].map((name) => [
      name,
      {
        image: 'portage-test/node',
        entrypoint: ['node', '/stand-ins.mjs', name],
        command: [],
        volumes: [`./test/containers/stand-ins.mjs:/stand-ins.mjs:ro`],
      },
    ]),
  ),
);

let passed = 0;
let failed = 0;

async function check(title, test) {
  try {
    await test();
    passed += 1;
    process.stdout.write(`ok      ${title}\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`FAILED  ${title}\n${error.stack}\n`);
  }
}

function expect(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`);
}

/** Runs a command of the operator and returns its JSON. */
function operate(...args) {
  const { status, stdout, stderr } = composition.run('cli', [...args, '--json']);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

function importSampleBook() {
  operate('organisation', 'create', 'Demo');
  operate('supplier', 'create', 'DEMO', '--organisation', 'Demo');
  const { api_key: key } = operate('api-key', 'issue', '--organisation', 'Demo');
  const args = ['--base-url', 'http://api:3000', '--file', '/examples/book.ndjson'];
  const { status, stdout, stderr } = composition.run('import-book', args, { PORTAGE_API_KEY: key });
  // 12 of its 212 accounts are faulty on purpose.
  expect(status, 1, `the status of the importer (${stdout}${stderr})`);
  const counts = operate('supplier', 'report', 'DEMO');
  const text = JSON.stringify(counts);
  if (!/"?processed"?:\s*200/i.test(text)) throw new Error(`not 200 accounts are imported: ${text}`);
}

async function takeRedisAway() {
  const before = composition.log('worker-1').length;
  docker(['stop', composition.container('redis')]);
  await sleep(OUTAGE_MS);
  const lines = composition.log('worker-1').slice(before).split('\n').filter(Boolean);
  docker(['start', composition.container('redis')]);
  await composition.waitUntil('redis', 'service_healthy');
  process.stdout.write(`        The worker wrote ${lines.length} lines in ${OUTAGE_MS / 1_000} s.\n`);
  if (lines.length > MAX_OUTAGE_LINES)
    throw new Error(`${lines.length} lines, such as\n${lines.slice(0, 3).join('\n')}`);
}

function stopWithinGrace(name) {
  const { status, seconds } = composition.stop(name);
  expect(status, 0, `the exit status of ${name} (${composition.log(name).split('\n').slice(-4).join('\n')})`);
  if (seconds >= composition.graceSeconds(name)) throw new Error(`${name} took ${seconds} s`);
}

async function buildImages() {
  execFileSync(join(FOLDER, 'images', 'build.sh'), { stdio: ['ignore', 'ignore', 'inherit'] });
  await check('the image is built from the Dockerfile', () => {
    // The build reaches the package registry as this machine does.
    docker([
      ...['build', '--network', 'host', '--build-arg', 'NODE_IMAGE=portage-test/node'],
      ...['--tag', IMAGE, root],
    ]);
  });
}

let isUp = false;
try {
  if (!process.argv.includes('--no-build')) await buildImages();
  composition.down();
  await check('API and workers become healthy', async () => {
    await composition.up('api', 'worker-1', 'worker-2');
    isUp = true;
  });
  if (isUp) {
    await check('the sample book is imported', importSampleBook);
    await check('a worker says once that Redis is away, and works again when it is back', async () => {
      await takeRedisAway();
      await composition.waitUntil('api', 'service_healthy');
      await composition.waitUntil('worker-1', 'service_healthy');
    });
    for (const name of ['api', 'worker-1', 'worker-2'])
      await check(`${name} stops within its grace period with status 0`, () => stopWithinGrace(name));
  }
} finally {
  if (process.env['PORTAGE_KEEP_CONTAINERS'] !== '1') composition.down();
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
