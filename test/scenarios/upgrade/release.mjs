// Builds of releases: the last tagged one, and this checkout.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildRevision } from '../../../scripts/build-revision.mjs';
import { root } from '../../../scripts/prepare.mjs';

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

/** No upgrade leads from a 0.x release to this schema, so the first release to upgrade from is v1.0.0. */
const UPGRADABLE = 'v[1-9]*';

/** True if a release that can be upgraded must exist: this checkout is a version after 1.0.0. */
function hasPredecessor() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Number.parseInt(version, 10) >= 1 && !/^1\.0\.0(-|$)/.test(version);
}

/**
 * The tag of the release to upgrade from: PORTAGE_UPGRADE_FROM, or the last one before this checkout. Undefined until
 * 1.0.0 is tagged.
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

/** A copy of this checkout with the migrations of `next-release.cjs`. @returns its directory */
function buildNextRelease() {
  const directory = join(root, '.portage', 'revisions', 'next');
  rmSync(directory, { recursive: true, force: true });
  for (const part of ['dist', 'package.json'])
    cpSync(join(root, part), join(directory, part), { recursive: true });
  const migrations = join(directory, 'dist', 'libs', 'platform', 'src', 'database', 'migrations');
  cpSync(join(import.meta.dirname, 'next-release.cjs'), join(migrations, 'next-release.cjs'));
  appendFileSync(
    join(migrations, 'index.js'),
    "\nexports.migrations.push(...require('./next-release.cjs').migrations);\n",
  );
  return directory;
}

/**
 * The last release and this checkout, both built; while there is no release, this checkout and one with further migrations.
 *
 * @throws Error if this checkout lacks a tag that must exist
 */
export function buildReleases() {
  const tag = findLastRelease();
  if (tag === undefined)
    return {
      current: { name: 'this checkout with further migrations', directory: buildNextRelease() },
      previous: { name: 'this checkout', directory: root },
    };
  return {
    current: { name: 'this checkout', directory: root },
    previous: { name: tag, directory: buildRevision(tag) },
  };
}
