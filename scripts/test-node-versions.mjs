// npm run test:node-versions [-- 22 24]: unit tests and one end-to-end suite on each Node version that is supported.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { prepare, root } from './prepare.mjs';

/** The oldest supported version (past its end of life), the maintained release lines, and the current one. */
const SUPPORTED = ['20.19', '22', '24', '26'];
const CACHE = join(root, '.portage', 'node-versions');
const JEST = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const SUITES = {
  'unit tests': ['\\.spec\\.ts$'],
  'end-to-end': ['test/e2e/tenants/accounts\\.e2e-spec'],
};
const MAX_SHOWN_LINES = 60;

/** Resolves to the exit status and everything that was printed. */
async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const [status] = await once(child, 'close');
  return { status, output: Buffer.concat(chunks).toString() };
}

/**
 * Path of the Node binary of a version, fetched once into the cache. The npm package `node` installs a binary with an
 * install script; its platform packages hold the same binary and need none.
 */
async function binaryOf(version) {
  const folder = join(CACHE, version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const binary = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  const { status, output } = await run('npm', ['install', ...options, `${name}@${version}`], { cwd: folder });
  if (status !== 0 || !existsSync(binary))
    throw new Error(`Node ${version} could not be fetched:\n${output}`);
  return binary;
}

async function test(version) {
  const binary = await binaryOf(version);
  const env = { ...process.env, PATH: `${dirname(binary)}${delimiter}${process.env.PATH}` };
  const exact = (await run(binary, ['--version'])).output.trim();
  const row = { Node: exact };
  for (const [suite, args] of Object.entries(SUITES)) {
    process.stdout.write(`Node ${exact}: ${suite} ...\n`);
    const start = Date.now();
    const workers = `--maxWorkers=${availableParallelism()}`;
    const { status, output } = await run(binary, [JEST, workers, ...args], { env });
    const tests = /^Tests:\s+(.*)$/m.exec(output)?.[1] ?? 'no tests ran';
    row[suite] = status === 0 ? tests : `FAILED: ${tests}`;
    row[`${suite} (s)`] = Math.round((Date.now() - start) / 1_000);
    if (status === 0) continue;
    failed = true;
    process.stdout.write(`${output.trimEnd().split('\n').slice(-MAX_SHOWN_LINES).join('\n')}\n`);
  }
  return row;
}

await prepare();
let failed = false;
const rows = [];
const asked = process.argv.slice(2);
for (const version of asked.length > 0 ? asked : SUPPORTED) {
  try {
    rows.push(await test(version));
  } catch (error) {
    failed = true;
    process.stdout.write(`${error.message}\n`);
    rows.push({ Node: `${version}: not run` });
  }
}
console.table(rows);
process.exit(failed ? 1 : 0);
