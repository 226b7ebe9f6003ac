// node scripts/collect-packages.mjs <folder>: copies the files of node_modules that the compiled programs of the image load
// to <folder>/node_modules. The rest of what npm installs (types, source maps, other module formats) is not needed to run.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { root } from './prepare.mjs';

const PROGRAMS = ['api/src/main', 'worker/src/main', 'cli/src/main', 'cli/src/migrate', 'importer/src/main'];
/** Packages whose files are sent to browsers, and not loaded by a program. */
const ASSETS = ['@bull-board/ui', 'swagger-ui-dist'];

const target = process.argv[2];
if (!target) {
  process.stderr.write('Name the folder to copy to.\n');
  process.exit(2);
}

function* filesOf(directory) {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (!/\.(map|d\.ts|md)$/.test(entry.name)) yield path;
  }
}

const programs = PROGRAMS.map((name) => join(root, 'dist', 'apps', `${name}.js`));
const { fileList } = await nodeFileTrace(programs, { base: root, processCwd: root });
const files = new Set([...fileList].filter((file) => file.startsWith('node_modules')));
for (const name of ASSETS) for (const file of filesOf(join('node_modules', name))) files.add(file);
if (files.size < 1_000)
  throw new Error(
    `Only ${files.size} files were found: the programs are not built, or packages are missing.`,
  );
for (const file of files)
  if (existsSync(join(root, file))) cpSync(join(root, file), join(target, file), { verbatimSymlinks: true });
process.stderr.write(`${files.size} files of packages\n`);
