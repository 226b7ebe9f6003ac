// node scripts/build-revision.mjs REVISION: builds a commit below .portage/revisions, once, and prints the directory.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './prepare.mjs';

/** Installing the packages of a revision and building it takes minutes on a busy machine. */
const BUILD_TIMEOUT_MS = 20 * 60_000;
/** The folders with packages. */
const PACKAGES = ['node_modules', 'apps/console/node_modules', 'packages/client/node_modules'];

/**
 * Builds a commit. @returns its directory
 *
 * @throws Error if git does not know the revision
 */
export function buildRevision(revision) {
  const git = (...args) => spawnSync('git', args, { cwd: root, maxBuffer: 1 << 28 });
  const { status, stdout } = git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`);
  if (status !== 0) throw new Error(`git does not know the revision ${revision}.`);
  const commit = stdout.toString().trim();
  const directory = join(root, '.portage', 'revisions', commit.slice(0, 10));
  const built = join(directory, '.built');
  if (existsSync(built)) return directory;
  process.stderr.write(`Building ${revision} ...\n`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', commit).stdout });
  const lockFile = (path) => join(path, 'package-lock.json');
  // The same packages need no second installation.
  if (readFileSync(lockFile(directory)).equals(readFileSync(lockFile(root)))) {
    for (const path of PACKAGES.filter((one) => existsSync(join(root, one))))
      symlinkSync(join(root, path), join(directory, path));
    // They are up to date, so that the build does not install into this checkout.
    utimesSync(lockFile(directory), 0, 0);
  }
  const script = "import('./scripts/prepare.mjs').then(({ prepare }) => prepare())";
  execFileSync(process.execPath, ['-e', script], {
    cwd: directory,
    stdio: ['ignore', 2, 2],
    timeout: BUILD_TIMEOUT_MS,
  });
  writeFileSync(built, '');
  return directory;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${buildRevision(process.argv[2] ?? 'HEAD')}\n`);
