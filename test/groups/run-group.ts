import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { REPOSITORY } from '@portage/testing/built-programs';
import OPERATIONS from '../operations.json';
import ALONE from './alone.json';

const ROOTS = ['apps', 'libs', 'packages/client/src', 'packages/client/test', 'test', 'bench'];

/**
 * Runs one of `groups` parts of the suites in one module registry: to load Nest and TypeORM again for each suite takes
 * longer than most suites. `npx jest --selectProjects integration <path>` runs a suite by itself.
 */
export function runGroup(extension: '.spec.ts' | '.int-spec.ts', group: number, groups: number): void {
  for (const [index, path] of suites(extension).entries())
    if (index % groups === group - 1)
      describe(relative(REPOSITORY, path), () => {
        // oxlint-disable-next-line typescript/no-require-imports -- in the block of this suite
        require(path);
      });
}

/** All suites, the largest first, so that groups have similar sizes. */
function suites(extension: string): string[] {
  return ROOTS.flatMap((root) =>
    readdirSync(join(REPOSITORY, root), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, path),
    ),
  )
    .filter(
      (path) =>
        path.endsWith(extension) &&
        !path.includes('/node_modules/') &&
        !ALONE.includes(path) &&
        !OPERATIONS.includes(path),
    )
    .map((path) => join(REPOSITORY, path))
    .map((path) => ({ path, size: statSync(path).size }))
    .sort((one, other) => other.size - one.size || one.path.localeCompare(other.path))
    .map(({ path }) => path);
}
