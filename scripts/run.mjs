// node scripts/run.mjs <program> [arguments]: prepares the checkout, then runs the program in this process.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compile, prepare, root } from './prepare.mjs';

const programs = {
  start: 'apps/start/src/main.js',
  cli: 'apps/cli/src/main.js',
  migrate: 'apps/cli/src/migrate.js',
  'import-book': 'apps/importer/src/main.js',
  'generate-book': 'apps/importer/src/generate-book.js',
  bench: 'bench/main.js',
  build: undefined,
  types: undefined,
};
const name = process.argv[2];
if (!(name in programs)) {
  process.stderr.write(`Programs: ${Object.keys(programs).join(', ')}\n`);
  process.exit(2);
}
// The other programs need no package of tests, and not the documents that the API serves itself.
const development = name === 'bench' || name === 'types';
await prepare({ development, documents: development || name === 'build' });
if (name === 'bench') {
  await compile(['bench']);
  // On the disk, because /tmp is in memory on many systems, where fsync costs nothing.
  process.env.TMPDIR = join(root, '.portage');
  mkdirSync(process.env.TMPDIR, { recursive: true });
}
// npm runs a script in the folder of the package. The paths that a supplier gives are relative to that of the caller.
if (name.endsWith('-book') && process.env.npm_lifecycle_event === name)
  process.chdir(process.env.INIT_CWD ?? '.');
if (programs[name]) {
  const script = join(root, 'dist', programs[name]);
  process.argv.splice(1, 2, script);
  createRequire(import.meta.url)(script);
}
