import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { trackedFiles } from '../deploy/deployment';

const ROOT = join(__dirname, '..', '..');
const PATH =
  /`((?:[\w.-]+\/)+[\w.-]*\.(?:ts|tsx|mjs|cjs|json|md|yaml|yml)|(?:src|libs|apps|test|docs|scripts|bench|deploy)(?:\/[\w.-]+)+\/?)`/g;

describe('The README of a folder, and the page on architecture', () => {
  const pages = trackedFiles().filter(
    (path) => path.endsWith('/README.md') || path === 'docs/architecture.md',
  );

  it.each(pages)(
    'names files and folders that exist, from itself, its source or the repository: %s',
    (readme) => {
      const text = readFileSync(join(ROOT, readme), 'utf8');
      const library = readme.split('/').slice(0, 2).join('/');
      const from = [dirname(readme), dirname(dirname(readme)), library, join(library, 'src'), '.'];
      const named = [...text.matchAll(PATH)].map(([, path = '']) => path);
      expect(named.filter((path) => !from.some((folder) => existsSync(join(ROOT, folder, path))))).toEqual(
        [],
      );
    },
  );
});
