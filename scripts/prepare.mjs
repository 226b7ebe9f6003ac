// Installs and builds, so that the programs of a checkout can run. Imports nothing but Node: it runs before npm install.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compile, filesOf, lastChange, root } from './compile.mjs';

export { compile, root };

/** The OpenAPI documents of suppliers and of operators, and the types that are generated from them. */
export const document = 'dist/openapi.json';
export const operatorDocument = 'dist/operator-openapi.json';
const types = 'packages/client/src/generated/api.ts';
const operatorTypes = 'apps/console/src/api/generated.ts';

const PROGRAMS = [
  'apps/api',
  'apps/cli',
  'apps/importer',
  'apps/start',
  'apps/worker',
  'libs',
  'packages/client/src',
];
const LOCK_FILE = 'package-lock.json';

/** Ends the process with a message if Node is too old. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Portage needs Node 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}

/** Runs a program to its end. If it fails, this process ends with its status. */
async function run(command, ...args) {
  // Standard output is reserved for the program that runs afterwards.
  const [status] = await once(spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] }), 'close');
  if (status !== 0) process.exit(status ?? 1);
}

const isInstalled = (name) => existsSync(join(root, 'node_modules', name));

/**
 * Installs missing packages: with `development` all of them, otherwise those that build and run the programs, which are the
 * `dependencies`. Packages of tests that are installed stay.
 */
async function install(development) {
  // npm keeps a copy of the lock file in node_modules; packages are missing if that copy is older than the lock file.
  const isUpToDate = lastChange(['node_modules/.package-lock.json']) >= lastChange([LOCK_FILE]);
  if (isUpToDate && (isInstalled('jest') || !development)) return;
  const all = development || isInstalled('jest');
  process.stderr.write(`Installing packages${all ? ' and those of tests' : ''} ...\n`);
  const part = all ? '--include=dev' : '--omit=dev';
  // The lock file has the versions, so what npm knows about packages need not be the newest.
  const options = ['--prefer-offline', '--loglevel=error', '--no-json', '--no-audit', '--no-fund'];
  await run('npm', 'ci', part, ...options);
}

/** Builds the console, which takes seconds, if it has changed. */
async function buildConsole() {
  const sources = [...filesOf('apps/console')].filter((file) => file !== operatorTypes);
  if (lastChange(['dist/console/index.html']) > lastChange([...sources, LOCK_FILE])) return;
  process.stderr.write('Building the console ...\n');
  await run(process.execPath, 'apps/console/build.mjs');
}

/** Writes the OpenAPI documents if the programs have changed, and the types where the generator is installed. */
async function describeApi(sources) {
  // The types are generated from the document.
  if (lastChange([operatorDocument]) < lastChange(sources.filter((source) => source !== types)))
    await run(process.execPath, 'dist/apps/api/src/openapi/write-document.js', document, operatorDocument);
  if (isInstalled('openapi-typescript') && lastChange([operatorTypes]) < lastChange([operatorDocument]))
    await run(
      process.execPath,
      'scripts/generate-types.mjs',
      ...[document, types, operatorDocument, operatorTypes],
    );
}

/**
 * Installs missing packages and builds changed sources, with messages on standard error.
 *
 * @param development false if the packages of tests, linters and benchmarks are not needed
 * @param documents false if the OpenAPI documents are not needed, which the API itself serves
 */
export async function prepare({ development = true, documents = true } = {}) {
  requireNode();
  await install(development);
  const programs = compile(PROGRAMS);
  await Promise.all([documents && programs.then(describeApi), programs, buildConsole()]);
}
