// npm run test:scenarios [-- NAME...] [--list] [--short] [--backend postgres|redis] [--seed N[,N...]] [--write]: runs scenarios by
// their names or families; without a name all of them. --list shows them with the minutes that they take. --write puts their
// figures into the tables of docs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from '../../scripts/prepare.mjs';
import { environment, printSkipped } from '../../scripts/skipped.mjs';
import { buildReleases } from './upgrade/release.mjs';

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    backend: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const choice = {
  names,
  seeds: values.seed.split(',').map(Number),
  isList: values.list,
  isShort: values.short,
  isWritten: values.write,
};
const env = { ...environment, ...process.env, SCENARIOS: JSON.stringify(choice) };

if (!values.list) await prepare();
if (!values.list && (names.length === 0 || names.includes('upgrade'))) {
  try {
    env.SCENARIOS_RELEASES = JSON.stringify(buildReleases());
  } catch (error) {
    process.stdout.write(`\nFAILED: ${error.message}\n`);
    process.exit(1);
  }
}
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'jest'),
  [
    '--runInBand',
    '--runTestsByPath',
    'test/scenarios/all.scenario-spec.ts',
    ...(values.backend ? ['--testNamePattern', `queue in ${values.backend},`] : []),
  ],
  { cwd: root, stdio: 'inherit', env },
);
const skipped = printSkipped();
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.exit(status ?? 1);
