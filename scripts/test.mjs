// npm test: everything that must hold. `npm test -- unit` (or static, integration, e2e, faults) runs one part.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const cores = availableParallelism();
const jest = (project, workers = cores) => [
  bin('jest'),
  [`--maxWorkers=${workers}`, '--selectProjects', project],
];
/** Most of these wait for something most of the time. More at once would need more connections than the database has. */
const manyWaiting = Math.min(4, cores + 1);

const parts = {
  static: [
    ['Types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
    ['Lint', bin('eslint'), ['.']],
    ['Format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
    ['Import rules', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'apps', 'libs']],
  ],
  unit: [['Unit tests', ...jest('unit')]],
  integration: [['Integration tests', ...jest('integration', Math.min(4, cores))]],
  start: [['npm start', ...jest('start', 1)]],
  e2e: [['End-to-end tests', ...jest('e2e', manyWaiting)]],
  faults: [['Fault tests', ...jest('faults', 1)]],
};
const only = (pattern, [command, args]) => [command, [...args, '--testPathPatterns', pattern]];
/** What other parts cover too, and what is too long for every time. */
const onRequest = {
  // npm run test:faults, which also writes docs/reliability.md.
  'faults-in-full': [['Fault tests in full', ...jest('faults-in-full', 1)]],
  // npm run test:scale: 1, 2 and 4 workers side by side, and a rolling restart under load.
  scale: [['Scale-out', ...jest('scale', 1)]],
  // npm run test:security: what docs/security.md names, with ten times the mutated requests and a seed of its own.
  security: [
    [
      'Tokens, limits and paths',
      ...only('libs/(importing/src/(access|rate-limits)|documents|config)/', jest('unit')),
    ],
    ['Document stores', ...only('libs/documents/', jest('integration', 1))],
    ['Security end to end', ...only('test/e2e/(security-|authentication)', jest('e2e', manyWaiting))],
  ],
};
const environments = { security: { FUZZ_REQUESTS: '20000', FUZZ_SEED: String(Date.now() % 2 ** 31) } };

const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked : Object.keys(parts);
const known = { ...parts, ...onRequest };
const unknown = wanted.filter((part) => !(part in known));
if (unknown.length > 0) {
  process.stderr.write(
    `npm test -- [${Object.keys(known).join('|')}] ...: there is no part ${unknown.join(', ')}.\n`,
  );
  process.exit(2);
}

prepare();
const outcomes = [];

/** One step at a time writes as it goes; of those side by side each is written when it has ended. */
async function run(part, [title, command, args], sideBySide) {
  if (!sideBySide) process.stdout.write(`\n=== ${title}\n`);
  const start = Date.now();
  const output = sideBySide ? 'pipe' : 'inherit';
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...environments[part], ...process.env },
  });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => written.push(chunk));
  const [status] = await once(child, 'close');
  if (sideBySide) process.stdout.write(`\n=== ${title}\n${Buffer.concat(written)}`);
  outcomes.push({ title, passed: status === 0, seconds: ((Date.now() - start) / 1_000).toFixed(0) });
}

for (const part of wanted) {
  const steps = known[part];
  // None of these uses more than one core.
  if (part === 'static') await Promise.all(steps.map((step) => run(part, step, true)));
  else for (const step of steps) await run(part, step, false);
}

process.stdout.write('\n');
for (const { title, passed, seconds } of outcomes)
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${title} (${seconds} s)\n`);
const failed = outcomes.filter(({ passed }) => !passed).length;
process.stdout.write(`${outcomes.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
