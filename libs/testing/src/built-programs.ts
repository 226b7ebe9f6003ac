import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
/** The checkout. The benchmark runs a compiled copy of this file in `dist`. */
export const REPOSITORY = basename(ROOT) === 'dist' ? dirname(ROOT) : ROOT;

/** The compiled program of an application, such as `builtProgram('cli', 'migrate')`. */
export function builtProgram(app: 'api' | 'worker' | 'cli' | 'start' | 'importer', name = 'main'): string {
  return join(REPOSITORY, 'dist', 'apps', app, 'src', `${name}.js`);
}
