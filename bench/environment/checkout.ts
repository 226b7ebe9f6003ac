import { join } from 'node:path';

/** The root directory of the checkout. This file is compiled to dist/bench/environment. */
export const CHECKOUT = join(__dirname, '..', '..', '..');

/** The path of a compiled script. */
export function compiledPath(script: string): string {
  return join(CHECKOUT, 'dist', script);
}
