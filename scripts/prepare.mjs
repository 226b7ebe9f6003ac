// node scripts/prepare.mjs [--all]: installs missing packages and builds what has changed. `npm start` needs the packages that
// build and run the programs, everything else needs --all. Imports nothing but Node: it runs before npm install.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** What is generated, or not compiled. */
const IGNORED = /^(node_modules|dist|generated|test)$|spec\.tsx?$/;

/** The time of the last change of files and folders of the repository. What is missing is old. */
function lastChange(...paths) {
  const times = paths.map((path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
    const names = readdirSync(join(root, path)).filter((name) => !IGNORED.test(name));
    return lastChange(...names.map((name) => join(path, name)));
  });
  return Math.max(0, ...times);
}

/** Runs a program to its end. If it fails, this process ends with its status. */
async function run(command, ...args) {
  // Standard output belongs to the program that runs afterwards.
  const [status] = await once(spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] }), 'close');
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs the packages: with `all` those of tests too. Packages of tests that are installed stay. */
async function install(all) {
  const hasAll = existsSync(join(root, 'node_modules/jest'));
  // npm keeps a copy of the lock file in node_modules.
  const isUpToDate = lastChange('node_modules/.package-lock.json') >= lastChange('package-lock.json');
  if (isUpToDate && (hasAll || !all)) return;
  process.stderr.write(`Installing packages${all || hasAll ? ' and those of tests' : ''} ...\n`);
  const part = all || hasAll ? '--include=dev' : '--omit=dev';
  await run('npm', 'ci', part, '--prefer-offline', '--loglevel=error');
}

/** Runs a script of package.json, unless its sources are older than its last success. */
async function build(script, ...sources) {
  const stamp = join('dist', `.${script.replace(':', '-')}`);
  if (lastChange(stamp) > lastChange(...sources, 'package-lock.json')) return;
  process.stderr.write(`npm run ${script} ...\n`);
  // What changes meanwhile is newer than the stamp.
  const start = new Date();
  await run('npm', 'run', '--silent', script);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, stamp), '');
  utimesSync(join(root, stamp), start, start);
}

/**
 * Installs missing packages and builds what has changed, with messages on standard error.
 *
 * @param all false if the packages of tests, linters and benchmarks and the types of the API are not needed
 */
export async function prepare({ all = true } = {}) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`Portage needs Node 20.19 or later; this is ${process.versions.node}.\n`);
    process.exit(1);
  }
  await install(all);
  const apps = readdirSync(join(root, 'apps')).filter((name) => name !== 'console');
  const programs = [...apps.map((name) => `apps/${name}`), 'libs', 'packages/client/src', 'bench'];
  const options = ['nest-cli.json', '.swcrc', 'tsconfig.json'];
  await Promise.all([
    build('build:programs', ...programs, ...options).then(() => all && build('build:types', ...programs)),
    build('build:console', 'apps/console', 'libs/tenants/src/suppliers'),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await prepare({ all: process.argv.includes('--all') });
