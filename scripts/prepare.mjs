// Installs and builds, so that the programs of a checkout can run. Imports nothing but Node: it runs before npm install.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built-from');
export const document = join(root, 'dist', 'openapi.json');
const generated = join(root, 'packages', 'client', 'src', 'generated');
const consoleFolder = join(root, 'apps', 'console');
const consoleStamp = join(root, 'dist', '.console-built-from');
export const operatorDocument = join(root, 'dist', 'operator-openapi.json');

/** Ends the process with a message if Node is too old. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Portage needs Node 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}

/** Runs a program to its end. If it fails, this process ends with its status. */
async function run(command, args) {
  // Standard output is reserved for the program that runs afterwards.
  const [status] = await once(spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] }), 'close');
  if (status !== 0) process.exit(status ?? 1);
}

/** npm keeps a copy of the lock file in node_modules; packages are missing if that copy is older than the lock file. */
function isUpToDate() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
  );
}

/**
 * Installs missing packages: with `development` all of them, otherwise those that build and run the programs, which are the
 * `dependencies`. Packages of tests that are installed stay.
 */
async function install(development) {
  const hasDevelopment = existsSync(join(root, 'node_modules', 'jest'));
  if (isUpToDate() && (hasDevelopment || !development)) return;
  const all = development || hasDevelopment;
  process.stderr.write(`Installing packages${all ? ' and those of tests' : ''} ...\n`);
  const part = all ? '--include=dev' : '--omit=dev';
  await run('npm', ['ci', part, '--loglevel=error', '--no-json', '--no-audit', '--no-fund']);
}

function* sources(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (path === generated || path === consoleFolder) continue;
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts') && !/\.(spec|int-spec|e2e-spec)\.ts$/.test(entry.name)) yield path;
  }
}

function* consoleSources(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.name === 'node_modules' || entry.name === 'generated.ts') continue;
    if (entry.isDirectory()) yield* consoleSources(path);
    else yield path;
  }
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of [...files].sort())
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function fingerprint() {
  return digest([
    ...['apps', 'libs', 'packages/client/src']
      .flatMap((part) => [...sources(join(root, part))])
      .filter((file) => !file.startsWith(join(root, 'libs', 'testing'))),
    ...[
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'nest-cli.json',
      'apps/importer/tsconfig.json',
      'packages/client/generate.mjs',
    ].map((file) => join(root, file)),
  ]);
}

/** Builds the console, which takes seconds, unless its sources and the operator API are those of the last time. */
async function buildConsole() {
  const wanted = digest([
    ...consoleSources(consoleFolder),
    join(root, 'package-lock.json'),
    operatorDocument,
  ]);
  const outputs = [
    consoleStamp,
    join(root, 'dist', 'console', 'index.html'),
    join(consoleFolder, 'src', 'api', 'generated.ts'),
  ];
  if (outputs.every((file) => existsSync(file)) && readFileSync(consoleStamp, 'utf8') === wanted) return;
  process.stderr.write('Building the console ...\n');
  await run(process.execPath, [join(consoleFolder, 'build.mjs'), operatorDocument]);
  writeFileSync(consoleStamp, wanted);
}

/**
 * Compiles a project of nest-cli.json: `api` is all programs but the importer, `importer` the importer and its client,
 * `bench` the benchmarks and the code that they use.
 */
export async function compile(project) {
  const cli = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  await run(process.execPath, [cli, 'build', project]);
}

/** Generates the client from the OpenAPI document, and compiles the program that uses it. */
async function buildClient() {
  await run(process.execPath, [join(root, 'packages', 'client', 'generate.mjs'), document]);
  await compile('importer');
}

/** Compiles the programs, and writes the OpenAPI documents from which the client and the console are built. */
async function buildPrograms() {
  await compile('api');
  const writer = join(root, 'dist', 'apps', 'api', 'src', 'openapi', 'write-document.js');
  await run(process.execPath, [writer, document, operatorDocument]);
}

/**
 * Installs missing packages and builds changed sources, with messages on standard error.
 *
 * @param development false if the packages of tests, linters and benchmarks are not needed
 */
export async function prepare({ development = true } = {}) {
  requireNode();
  await install(development);
  const wanted = fingerprint();
  const isBuilt = existsSync(stamp) && existsSync(generated) && readFileSync(stamp, 'utf8') === wanted;
  if (!isBuilt) {
    process.stderr.write('Building ...\n');
    await buildPrograms();
  }
  // The client and the console need nothing of each other.
  await Promise.all([isBuilt ? undefined : buildClient(), buildConsole()]);
  if (!isBuilt) writeFileSync(stamp, wanted);
}
