// npm test runs every part. `npm test -- unit e2e` runs some: static, unit, integration, e2e, faults, or one of the longer
// parts below.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { environment as skippedEnvironment, printSkipped } from './skipped.mjs';

/**
 * One for each core, because tests share them with the servers that they start. More at once would exceed time limits on a
 * busy machine, and more than four would need more connections and Redis databases than there are.
 */
const WORKERS = Math.max(2, Math.min(4, availableParallelism()));
const GROUPS = join('test', 'groups');

const source = (path) => readFileSync(join(root, path), 'utf8');
/** Suites that `npm run test:operations` runs, and `npm test` leaves out. */
const operations = JSON.parse(source('test/operations.json'));
const suites = ['apps', 'libs', 'packages', 'test', 'bench']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => /spec\.ts$/.test(path) && !path.includes('/node_modules/'));
const renamed = operations.filter((path) => !suites.includes(path));
if (renamed.length > 0) throw new Error(`test/operations.json: there is no ${renamed.join(', ')}`);

const isShort = (path) => !operations.includes(path) && !path.startsWith('test/console/');

/** The suites of each part, by their paths. */
const short = {
  unit: (path) => isShort(path) && path.endsWith('.spec.ts'),
  integration: (path) => isShort(path) && path.endsWith('.int-spec.ts'),
  e2e: (path) => isShort(path) && path.endsWith('.e2e-spec.ts'),
  faults: (path) => path.endsWith('.scenario-spec.ts'),
};
const long = {
  // npm run test:operations: outages, silent connections, several instances, the model of the import, tracing, the browser,
  // the operator's command line and API, personal data in logs and queues, deployment files, mutated requests, the growth of
  // work with its input, npm start, the console.
  operations: (path) => !isShort(path),
  console: (path) => path.startsWith('test/console/'),
  // More events of the import's model, and longer random walks through it on the real system.
  model: (path) => path.startsWith('test/model/'),
  // What docs/security.md names, with ten times the mutated requests and a seed of its own.
  security: (path) =>
    /^libs\/(tenants\/src\/access|platform\/src\/(limits|document-stores|config|database\/roles)|operators\/src|events\/src\/webhooks|events\/test)\/|^apps\/console\/src\/session\/|^test\/e2e\/(tenants\/)?(security-|authentication|openid-connect|operators|account-show)/.test(
      path,
    ),
};
const environments = {
  ...Object.fromEntries(Object.keys(short).map((name) => [name, { TESTED_BACKEND: 'postgres' }])),
  operations: { TESTED_BACKEND: 'redis' },
  security: { SECURITY_IN_FULL: 'true', FUZZ_REQUESTS: '20000', FUZZ_SEED: String(Date.now() % 2 ** 31) },
  model: { MODEL_IN_FULL: 'true' },
};

const names = process.argv.slice(2);
const parts = { static: () => false, ...short, ...long };
const unknown = names.filter((name) => !(name in parts));
if (unknown.length > 0) {
  process.stderr.write(
    `npm test -- [${Object.keys(parts).join('|')}] ...: there is no part ${unknown.join(', ')}.\n`,
  );
  process.exit(2);
}
const selected = names.length > 0 ? names : ['static', ...Object.keys(short)];

const TIERS = { unit: /\.spec\.ts$/, integration: /\.int-spec\.ts$/, tenants: /^test\/e2e\/tenants\// };
/** The kind of suites that one may share a file with. One that replaces modules, or is for operations, runs by itself. */
const tierOf = (path) =>
  isShort(path) && !source(path).includes('jest.mock(')
    ? Object.keys(TIERS).find((tier) => TIERS[tier].test(path))
    : undefined;

/**
 * Writes files that run several suites each, because loading Nest and TypeORM takes longer than most suites. The largest
 * suites come first, so that the files take similar times. @returns what jest runs
 */
function group(paths) {
  rmSync(join(root, GROUPS), { recursive: true, force: true });
  mkdirSync(join(root, GROUPS));
  const size = (path) => statSync(join(root, path)).size;
  const counts = { unit: 0, integration: 0, tenants: 0 };
  const files = paths
    .toSorted((one, other) => size(other) - size(one))
    .map((path) => {
      const tier = tierOf(path);
      if (!tier) return path;
      const file = join(GROUPS, `${tier}-${counts[tier]++ % WORKERS}.js`);
      const block = `describe('${path}', () => void require('../../${path}'));\n`;
      appendFileSync(join(root, file), block);
      return file;
    });
  return [...new Set(files)];
}

const outcomes = [];

/** A step that runs beside another prints once it has ended. */
async function run(title, output, command, ...args) {
  if (output === 'inherit') process.stdout.write(`\n=== ${title}\n`);
  const start = Date.now();
  const env = {
    ...Object.assign({}, ...selected.map((name) => environments[name])),
    ...skippedEnvironment,
    ...process.env,
  };
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', output, output], env });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => written.push(chunk));
  const [status] = await once(child, 'close');
  if (output === 'pipe') process.stdout.write(`\n=== ${title}\n${Buffer.concat(written)}`);
  outcomes.push({ title, passed: status === 0, seconds: ((Date.now() - start) / 1_000).toFixed(0) });
}

await prepare();
const paths = suites.filter((path) => selected.some((name) => parts[name](path)));
// Static checks use one core each, and do not depend on time: they run beside the first tests, which compute.
await Promise.all([
  selected.includes('static') && run('Types, lint and format', 'pipe', 'npm', 'run', 'lint'),
  selected.includes('static') && run('Import rules', 'pipe', 'npm', 'run', 'imports'),
  paths.length > 0 &&
    run('Tests', 'inherit', 'npx', 'jest', `--maxWorkers=${WORKERS}`, '--runTestsByPath', ...group(paths)),
]);
rmSync(join(root, GROUPS), { recursive: true, force: true });

process.stdout.write('\n');
for (const { title, passed, seconds } of outcomes)
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${title} (${seconds} s)\n`);
const failed = outcomes.filter(({ passed }) => !passed).length;
const skipped = printSkipped();
process.stdout.write(
  `${outcomes.length - failed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
);
process.exit(failed === 0 ? 0 : 1);
