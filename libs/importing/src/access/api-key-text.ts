import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const FORM = /^portage_([a-z2-7]{8})_([a-z2-7]{40})([a-z2-7]{7})$/;

/** 5 bits of randomness a character. */
function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < 7; place += 1) {
    written += ALPHABET[rest & 31] as string;
    rest >>>= 5;
  }
  return written;
}

/**
 * A new API key: `portage_<prefix>_<secret><checksum>`. The prefix names the key and may be shown, the secret has
 * 200 bits, the checksum lets scanners and Portage recognise a key without asking anyone.
 */
export function newApiKey(prefix = randomText(8)): { text: string; prefix: string } {
  const body = `portage_${prefix}_${randomText(40)}`;
  return { text: body + checksum(body), prefix };
}

/** The prefix of a well-formed key, or undefined for anything else. */
export function prefixOfApiKey(text: string): string | undefined {
  const match = FORM.exec(text);
  return match && checksum(text.slice(0, -7)) === match[3] ? match[1] : undefined;
}

/** What is stored of a key or a refresh token. Both are random and long, so a plain hash is enough. */
export function hashOfSecret(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A new refresh token, 256 bits. */
export function newRefreshToken(): string {
  return `portage_refresh_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text looks like a refresh token; nothing else is worth asking the database for. */
export function isRefreshToken(text: string): boolean {
  return /^portage_refresh_[\w-]{43}$/.test(text);
}
