import { createHash } from 'node:crypto';

/** Equal for equal requests: of everything that the outcome depends on, as JSON. */
export function fingerprint(...parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
