// npm test: everything that must hold. `npm test -- unit` (or static, integration, e2e) runs one part.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const jest = (...projects) => [bin('jest'), ['--forceExit', '--selectProjects', ...projects]];

const parts = {
  static: [
    ['Types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
    ['Lint', bin('eslint'), ['.']],
    ['Format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
    ['Import rules', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'apps', 'libs']],
  ],
  unit: [['Unit tests', ...jest('unit')]],
  integration: [['Integration tests', ...jest('integration')]],
  e2e: [['End-to-end tests', ...jest('e2e')]],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !(part in parts));
if (unknown.length > 0) {
  process.stderr.write(
    `npm test -- [${Object.keys(parts).join('|')}] ...: there is no part ${unknown.join(', ')}.\n`,
  );
  process.exit(2);
}

prepare();
const outcomes = [];
for (const [title, command, args] of (wanted.length > 0 ? wanted : Object.keys(parts)).flatMap(
  (part) => parts[part],
)) {
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
