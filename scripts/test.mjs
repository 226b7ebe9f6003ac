// npm test: everything that must hold. `npm test -- unit` (or static, integration, e2e, faults) runs one part.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const cores = availableParallelism();
const jest = (project, workers = cores) => [
  bin('jest'),
  ['--forceExit', `--maxWorkers=${workers}`, '--selectProjects', project],
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
  e2e: [['End-to-end tests', ...jest('e2e', manyWaiting)]],
  faults: [['Fault tests', ...jest('faults', 1)]],
};
/** Too long for every time: npm run test:faults, which also writes docs/reliability.md. */
const onRequest = { 'faults-in-full': [['Fault tests in full', ...jest('faults-in-full', 1)]] };

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
for (const [title, command, args] of wanted.flatMap((part) => known[part])) {
  process.stdout.write(`\n=== ${title}\n`);
  const start = Date.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  outcomes.push({ title, passed: status === 0, seconds: ((Date.now() - start) / 1_000).toFixed(0) });
}

process.stdout.write('\n');
for (const { title, passed, seconds } of outcomes)
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${title} (${seconds} s)\n`);
const failed = outcomes.filter(({ passed }) => !passed).length;
process.stdout.write(`${outcomes.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
