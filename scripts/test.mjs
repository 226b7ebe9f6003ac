// npm test runs every part. `npm test -- unit e2e` runs some: static, unit, integration, e2e, faults, or one of the longer
// parts below.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { environment as skippedEnvironment, printSkipped } from './skipped.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const cores = availableParallelism();
const jest = (projects, workers = cores) => [
  bin('jest'),
  [`--maxWorkers=${workers}`, '--selectProjects', ...projects],
];
/** These tests mostly wait. More at once would need more connections and Redis databases than there are. */
const waitingWorkers = Math.min(4, cores + 1);

/** Parts that one jest runs if several of them are selected: the suites that wait leave cores to those that compute. */
const joint = {
  faults: ['scenarios'],
  unit: ['unit-groups'],
  integration: ['integration-groups'],
  e2e: ['e2e-short', 'tenants-short'],
};

/** See chosenBackends() in libs/testing. */
const first = { TESTED_BACKEND: 'first' };

const only = (pattern, [command, args]) => [command, [...args, '--testPathPatterns', pattern]];

const start = ['npm start', ...jest(['start'], 1)];
const isolation = [
  'Isolation',
  ...jest(['scenarios'], 1),
  // The shares of organisations in Redis are those of fair-queue.int-spec.ts.
  { SCENARIOS: JSON.stringify({ names: ['isolation'], seeds: [1], isShort: true }), ...first },
];
const consoleTests = ['Console', ...jest(['console'], 2)];

const parts = {
  static: [
    ['Types and lint', bin('oxlint'), []],
    ['Format', bin('oxfmt'), ['--check']],
    [
      'Import rules',
      bin('depcruise'),
      ['--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'packages/client/src'],
    ],
    ['Import rules of specs', bin('depcruise'), ['--config', '.dependency-cruiser.specs.cjs', 'libs']],
  ],
  unit: [['Unit tests', ...jest(joint.unit)]],
  integration: [['Integration tests', ...jest(joint.integration, waitingWorkers)]],
  e2e: [['End-to-end tests', ...jest(joint.e2e, waitingWorkers)]],
  faults: [['Fault tests', ...jest(joint.faults, 1)]],
};
/** Parts that take too long for every run. */
const longParts = {
  // npm run test:operations, before npm test in continuous integration: outages, several instances, tracing, the browser,
  // the operator's command line and API, personal data in logs and queues, deployment files, mutated requests, the growth
  // of work with its input, npm start, isolation with short attacks, the console, and the second queue backend of faults.
  operations: [
    [
      'Operations',
      ...jest(['operations', 'tenants-operations', 'console', 'start', 'scenarios'], waitingWorkers),
    ],
    isolation,
  ],
  start: [start],
  // npm run test:console: every page and action of the console in a browser.
  console: [consoleTests],
  isolation: [isolation],
  // npm run test:model: more events of the import's model, and longer random walks through it on the real system.
  model: [['Model of the import in full', ...only('test/model/', jest(['unit', 'integration'], 1))]],
  // npm run test:security: what docs/security.md names, with ten times the mutated requests and a seed of its own.
  security: [
    [
      'Tokens, limits and paths',
      ...only(
        'libs/(tenants/src/access|platform/src/(limits|document-stores|config)|operators/src)/|console/src/session/',
        jest(['unit']),
      ),
    ],
    [
      'Operators and roles of the database',
      ...only(
        'libs/(operators/src/operators|platform/src/database/roles)/',
        jest(['integration'], waitingWorkers),
      ),
    ],
    ['Document stores', ...only('libs/platform/src/document-stores/', jest(['integration'], 1))],
    ['Webhooks', ...only('libs/events/(src/webhooks|test)/', jest(['unit', 'integration'], 1))],
    [
      'Security end to end',
      ...only(
        'test/e2e/(tenants/)?(security-|authentication|openid-connect|operators|account-show)',
        jest(['e2e', 'tenants'], waitingWorkers),
      ),
    ],
  ],
};
const environments = {
  joint: first,
  e2e: first,
  faults: first,
  operations: { TESTED_BACKEND: 'last' },
  security: { SECURITY_IN_FULL: 'true', FUZZ_REQUESTS: '20000', FUZZ_SEED: String(Date.now() % 2 ** 31) },
  model: { MODEL_IN_FULL: 'true' },
};

const names = process.argv.slice(2);
const selected = names.length > 0 ? names : Object.keys(parts);
const allParts = { ...parts, ...longParts };
const unknown = selected.filter((part) => !(part in allParts));
if (unknown.length > 0) {
  process.stderr.write(
    `npm test -- [${Object.keys(allParts).join('|')}] ...: there is no part ${unknown.join(', ')}.\n`,
  );
  process.exit(2);
}

await prepare();
const outcomes = [];

/** A step that runs alone prints as it goes. A parallel step prints once it has ended. */
async function run(part, [title, command, args, env], isParallel) {
  if (!isParallel) process.stdout.write(`\n=== ${title}\n`);
  const start = Date.now();
  const output = isParallel ? 'pipe' : 'inherit';
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...environments[part], ...env, ...skippedEnvironment, ...process.env },
  });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => written.push(chunk));
  const [status] = await once(child, 'close');
  if (isParallel) process.stdout.write(`\n=== ${title}\n${Buffer.concat(written)}`);
  outcomes.push({ title, passed: status === 0, seconds: ((Date.now() - start) / 1_000).toFixed(0) });
}

async function runParts(names) {
  for (const part of names) for (const step of allParts[part]) await run(part, step, false);
}

// No static check uses more than one core, and none depends on time. They run beside the start of the other tests, which
// begin with those that only compute.
const checks = selected.includes('static') ? parts.static : [];
const checked = Promise.all(checks.map((step) => run('static', step, true)));
const together = selected.filter((part) => part in joint);
if (together.length > 1)
  await run(
    'joint',
    [
      'Tests',
      ...jest(
        together.flatMap((part) => joint[part]),
        waitingWorkers,
      ),
    ],
    false,
  );
const isJoint = (part) => together.length > 1 && together.includes(part);
const isAlone = (part) => part !== 'static' && !isJoint(part);
await runParts(selected.filter(isAlone));
await checked;

process.stdout.write('\n');
for (const { title, passed, seconds } of outcomes)
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${title} (${seconds} s)\n`);
const failed = outcomes.filter(({ passed }) => !passed).length;
const skipped = printSkipped();
process.stdout.write(
  `${outcomes.length - failed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
);
process.exit(failed === 0 ? 0 : 1);
