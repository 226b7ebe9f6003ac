import { join } from 'node:path';

export const REPOSITORY = join(__dirname, '..', '..', '..');

/** The compiled program of an application, such as `builtProgram('cli', 'migrate')`. */
export function builtProgram(app: 'api' | 'worker' | 'cli' | 'start' | 'importer', name = 'main'): string {
  return join(REPOSITORY, 'dist', 'apps', app, 'src', `${name}.js`);
}
