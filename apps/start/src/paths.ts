import { join, relative, resolve } from 'node:path';

/** The root directory of the repository, relative to the compiled file. */
export const ROOT = resolve(__dirname, '..', '..', '..', '..');

/** The sample book and its expected results. */
export const EXAMPLES = join(ROOT, 'examples');

/** The path of a file relative to the current folder if it is inside, and otherwise as it is. */
export function shortPath(path: string): string {
  const short = relative('.', path);
  return short.startsWith('..') ? path : short;
}

/** The compiled main script of an app. */
export function mainScript(app: 'api' | 'worker' | 'importer'): string {
  return join(ROOT, 'dist', 'apps', app, 'src', 'main.js');
}
