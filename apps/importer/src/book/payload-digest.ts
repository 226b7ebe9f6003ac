import { createHash } from 'node:crypto';
import { type JsonObject } from '@portage/client';

/**
 * The value of the header `Payload-Digest` for an account: SHA-256 of its compact JSON text in UTF-8, with the members
 * in the order in which they are sent.
 */
export function payloadDigest(payload: JsonObject): string {
  return `sha-256=:${createHash('sha256').update(JSON.stringify(payload)).digest('base64')}:`;
}
