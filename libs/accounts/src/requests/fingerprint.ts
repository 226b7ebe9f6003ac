import { createHash } from 'node:crypto';

/** Hash of everything that the outcome of a request depends on: equal requests have equal fingerprints. */
export function fingerprint(...parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
