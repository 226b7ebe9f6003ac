import { join } from 'node:path';

/** The root of the checkout; this file is compiled to dist/bench/environment. */
export const CHECKOUT = join(__dirname, '..', '..', '..');

/** Where the compiled form of a program is. */
export function compiled(script: string): string {
  return join(CHECKOUT, 'dist', script);
}
