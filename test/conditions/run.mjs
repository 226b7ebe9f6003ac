// npm run test:conditions [-- PART] [--only KEY] [--backend postgres|redis] [--seed N[,N...]]: faults of the network and of
// clocks, with a checker of what clients have seen. Without a part all of them. Each run ends by itself within five minutes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from '../../scripts/prepare.mjs';

const PARTS = ['silence', 'clocks', 'history', 'failover', 'redis', 'outside'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, backend: { type: 'string' }, seed: { type: 'string' } },
});
const unknown = positionals.filter((part) => !PARTS.includes(part));
if (unknown.length > 0 || positionals.length > 1) {
  process.stderr.write(
    `npm run test:conditions -- [${PARTS.join('|')}]: give one of these parts, or none.\n`,
  );
  process.exit(2);
}

await prepare();
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'jest'),
  [
    '--selectProjects',
    'conditions',
    '--maxWorkers=1',
    ...(values.backend ? ['--testNamePattern', `queue in ${values.backend},`] : []),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(positionals[0] && { CONDITIONS_PART: positionals[0] }),
      ...(values.only && { CONDITIONS_ONLY: values.only }),
      ...(values.seed && { CONDITIONS_SEEDS: values.seed }),
    },
  },
);
process.exit(status ?? 1);
