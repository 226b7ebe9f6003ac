import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './built-programs';

const run = promisify(execFile);
const MODULES = join(REPOSITORY, 'node_modules');

/**
 * Packs a workspace and installs it from its file into an empty folder, with the packages that its manifest names and
 * the types of Node. They are packed from this checkout, so that nothing is fetched.
 */
export async function installPacked(workspace: string, folder: string): Promise<void> {
  const pack = ['pack', '--pack-destination', folder];
  await run('npm', [...pack, '--workspace', workspace], { cwd: REPOSITORY });
  const others = addRequirements('@types/node', addRequirements(workspace, new Set(['@types/node'])));
  await run('npm', [...pack, '--ignore-scripts', ...[...others].map((name) => join(MODULES, name))]);
  const archives = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...archives], { cwd: folder });
}

/** Adds the names of the packages that a package needs, and of those that they need. */
function addRequirements(name: string, found: Set<string>): Set<string> {
  const manifest = JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8')) as {
    dependencies?: object;
    peerDependencies?: object;
  };
  for (const required of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    if (!found.has(required)) addRequirements(required, found.add(required));
  }
  return found;
}

/** Compiles files of a folder with the strict options of TypeScript. @returns its errors; empty if there are none */
export async function compile(folder: string, files: string[], options: object = {}): Promise<string> {
  const project = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    ...options,
  };
  await writeFile(project, JSON.stringify({ compilerOptions, files }));
  return run(process.execPath, [join(MODULES, 'typescript', 'bin', 'tsc'), '-p', project]).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}
