// npm run test:mutation [-- --all | PATH...]: changes the code in small ways and runs the suite beside each file (NAME.spec.ts
// beside NAME.ts), or the cases of a rule or a warning. A change that no case notices survives, and is printed. By default
// the files that differ from the branch main; --all takes all files of libs with such suites.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from '../../scripts/prepare.mjs';

const folder = join(root, 'test', 'mutation');
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** The suites that are to notice changes of a file. */
function suitesOf(path) {
  const beside = path.replace(/\.ts$/, '.spec.ts');
  if (existsSync(join(root, beside))) return [beside];
  const [, folder] = /^libs\/account-schema\/src\/(rules|warnings)\//.exec(path) ?? [];
  return folder ? git('ls-files', `libs/account-schema/test/${folder}/*.spec.ts`) : [];
}

const args = process.argv.slice(2);
const all = git('ls-files', 'libs/*.ts').filter(
  (path) => !/^libs\/testing\/|spec\.ts$/.test(path) && suitesOf(path).length > 0,
);
const changed = () => git('diff', '--name-only', '--merge-base', 'main');
const asked = args.length > 0 ? args : changed().map((path) => path.replace(/\.spec\.ts$/, '.ts'));
const files = args.includes('--all') ? all : all.filter((path) => asked.includes(path));
const unknown = args.filter((path) => path !== '--all' && !all.includes(path));
if (unknown.length > 0) {
  process.stderr.write(`No suite is known for ${unknown.join(', ')}.\n`);
  process.exit(2);
}
if (files.length === 0) {
  process.stdout.write('No file with a suite of its own differs from main.\n');
  process.exit(0);
}

await prepare();
if (!existsSync(join(folder, 'node_modules')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
const { status } = spawnSync(
  join(folder, 'node_modules', '.bin', 'stryker'),
  ['run', join('test', 'mutation', 'stryker.config.mjs'), '--mutate', files.join(',')],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      MUTATION_SUITES: JSON.stringify([...new Set(files.flatMap(suitesOf))]),
      MUTATION_WORKERS: String(Math.max(1, availableParallelism() - 1)),
    },
  },
);
process.exit(status ?? 1);
