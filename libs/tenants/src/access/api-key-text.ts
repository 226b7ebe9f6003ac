import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const API_KEY = /^portage_([a-z2-7]{8})_([a-z2-7]{40})([a-z2-7]{7})$/;

/** Random text with 5 bits of entropy in each character. */
function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}

function checksum(text: string): string {
  let remainder = crc32(text);
  let digits = '';
  for (let position = 0; position < 7; position += 1) {
    digits += ALPHABET[remainder & 31] as string;
    remainder >>>= 5;
  }
  return digits;
}

/**
 * A new API key: `portage_<prefix>_<secret><checksum>`. The prefix identifies the key and is not secret. The secret has
 * 200 bits. The checksum lets secret scanners, and Portage, recognise a key without a database lookup.
 */
export function newApiKey(prefix = randomText(8)): { text: string; prefix: string } {
  const body = `portage_${prefix}_${randomText(40)}`;
  return { text: body + checksum(body), prefix };
}

/** The prefix of a well-formed key, or undefined for anything else. */
export function prefixOfApiKey(text: string): string | undefined {
  const match = API_KEY.exec(text);
  return match && checksum(text.slice(0, -7)) === match[3] ? match[1] : undefined;
}

/** The hash that is stored of a key or a refresh token. Both are long and random, so an unsalted hash is safe. */
export function hashOfSecret(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A new refresh token, 256 bits. */
export function newRefreshToken(): string {
  return `portage_refresh_${randomBytes(32).toString('base64url')}`;
}

/** True if the text has the form of a refresh token. Any other text needs no database lookup. */
export function isRefreshToken(text: string): boolean {
  return /^portage_refresh_[\w-]{43}$/.test(text);
}
