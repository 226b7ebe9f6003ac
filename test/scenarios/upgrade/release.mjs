// Builds of releases: the last tagged one, and this checkout.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/prepare.mjs';

/** Installing the packages of a release and building it takes minutes on a busy machine. */
const BUILD_TIMEOUT_MS = 20 * 60_000;

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

/** No upgrade leads from a 0.x release to this schema, so the first release to upgrade from is v1.0.0. */
const UPGRADABLE = 'v[1-9]*';

/** True if a release that can be upgraded must exist: this checkout is a version after 1.0.0. */
function hasPredecessor() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Number.parseInt(version, 10) >= 1 && !/^1\.0\.0(-|$)/.test(version);
}

/**
 * The tag of the release to upgrade from: PORTAGE_UPGRADE_FROM, or the last one before this checkout. Undefined while
 * no release can be upgraded, because 1.0.0 is not tagged yet.
 *
 * @throws Error that says how to get the tags if this checkout lacks them
 */
function findLastRelease() {
  const wanted = process.env['PORTAGE_UPGRADE_FROM'];
  if (wanted?.startsWith('v0.'))
    throw new Error(
      `No upgrade leads from ${wanted} to this checkout. The first release to upgrade from is v1.0.0.`,
    );
  const { status, stdout } = wanted
    ? git('rev-parse', '--verify', '--quiet', `${wanted}^{commit}`)
    : git('describe', '--tags', '--abbrev=0', '--match', UPGRADABLE);
  if (status === 0) return wanted ?? stdout.trim();
  if (!wanted && !hasPredecessor()) return undefined;
  throw new Error(
    `This checkout has no tag ${wanted ?? 'of a release'}, so NO UPGRADE WAS TESTED. A shallow clone has neither tags nor ` +
      'history. Get them with: git fetch --tags --unshallow (in a full clone: git fetch --tags)',
  );
}

/**
 * The last release and this checkout, both built; undefined while there is no release to upgrade from.
 *
 * @throws Error if this checkout lacks a tag that must exist
 */
export function buildReleases() {
  const tag = findLastRelease();
  if (tag === undefined) return undefined;
  return { current: { name: 'this checkout', directory: root }, previous: buildRelease(tag) };
}

/** Builds the release of a tag in .portage/releases, once. */
function buildRelease(tag) {
  const commit = git('rev-parse', `${tag}^{commit}`).stdout.trim();
  const directory = join(root, '.portage', 'releases', commit);
  const built = join(directory, '.built');
  if (!existsSync(built)) {
    process.stderr.write(`Building ${tag} ...\n`);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', directory], { input: archive });
    const lock = (path) => readFileSync(join(path, 'package-lock.json'), 'utf8');
    // The same packages need no second installation.
    if (lock(directory) === lock(root))
      for (const workspace of ['.', 'apps/console', 'bench', 'packages/client']) {
        const packages = join(workspace, 'node_modules');
        if (existsSync(join(root, packages)) && existsSync(join(directory, workspace)))
          symlinkSync(join(root, packages), join(directory, packages));
      }
    const script = "import('./scripts/prepare.mjs').then(({ prepare }) => prepare())";
    execFileSync(process.execPath, ['-e', script], {
      cwd: directory,
      stdio: ['ignore', 2, 2],
      timeout: BUILD_TIMEOUT_MS,
    });
    writeFileSync(built, tag);
  }
  return { name: tag, directory };
}
