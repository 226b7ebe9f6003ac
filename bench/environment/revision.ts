import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { CHECKOUT, compiledPath } from './checkout';

/** Another build of the service. */
export interface Revision {
  /** The short hash of the commit, or the path. */
  readonly name: string;
  /** The directory of the built checkout. */
  readonly checkout: string;
}

/** The workspaces that have packages of their own. */
const WORKSPACES = ['', 'apps/console', 'bench', 'packages/client'];

/**
 * Checks out a commit into a git worktree below .portage/revisions, and builds it there. A worktree that exists is used
 * again, and its build is repeated only if its sources have changed.
 *
 * @throws Error if git does not know the revision
 */
export function checkOutRevision(revision: string, log: (progress: string) => void): Revision {
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`);
  const name = commit.slice(0, 10);
  const checkout = join(CHECKOUT, '.portage', 'revisions', name);
  if (!existsSync(checkout)) {
    log(`Checking out ${name} into ${checkout} ...`);
    git('worktree', 'add', '--detach', checkout, commit);
  }
  if (!existsSync(join(checkout, 'node_modules')) && hasSamePackages(checkout)) linkPackages(checkout);
  log(`Building ${name}, unless it is built (some minutes, once) ...`);
  // Installs the packages if they are missing.
  execFileSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: checkout, stdio: ['ignore', 2, 2] });
  return { name, checkout };
}

/** @throws Error unless the path is that of a built checkout */
export function builtCheckout(path: string): Revision {
  const checkout = resolve(path);
  if (!existsSync(compiledPath('apps/api/src/main.js', checkout)))
    throw new Error(`${checkout} is not a built checkout. Run "npm run build" there.`);
  return { name: checkout, checkout };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' }).trim();
}

function hasSamePackages(checkout: string): boolean {
  const lockFile = (root: string) => readFileSync(join(root, 'package-lock.json'));
  return lockFile(checkout).equals(lockFile(CHECKOUT));
}

/** Uses the packages of this checkout as hard links, which takes seconds and no disk space. */
function linkPackages(checkout: string): void {
  for (const workspace of WORKSPACES) {
    const from = join(CHECKOUT, workspace, 'node_modules');
    if (existsSync(from)) linkTree(from, join(checkout, workspace, 'node_modules'));
  }
  // npm's copy of the lock file must be newer than the lock file, else the packages count as missing.
  const copy = (root: string) => join(root, 'node_modules', '.package-lock.json');
  copyFileSync(copy(CHECKOUT), copy(checkout));
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === '.cache' || entry.name === '.package-lock.json') continue;
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}
