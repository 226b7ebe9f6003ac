import { join } from 'node:path';

/** The root directory of the checkout. This file is compiled to dist/bench/environment. */
export const CHECKOUT = join(__dirname, '..', '..', '..');

/** The path of a compiled script of a checkout. */
export function compiledPath(script: string, checkout = CHECKOUT): string {
  return join(checkout, 'dist', script);
}
