import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The form of a sealed secret: this byte, the initialisation vector, the tag and the encrypted text. */
const FORM = Buffer.from([1]);

/** Encrypts secrets that cannot be stored as hashes, each for its owner: it cannot be moved to another one. */
export class SecretBox {
  private readonly key: Buffer;

  /** @param purpose separates the keys that are derived from one configured secret */
  constructor(configured: string, purpose: string) {
    this.key = Buffer.from(hkdfSync('sha256', configured, '', purpose, KEY_BYTES));
  }

  seal(secret: string, owner: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(owner));
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([FORM, iv, cipher.getAuthTag(), encrypted]);
  }

  /** Undefined if the secret was encrypted with another key, for another owner, or was changed. */
  open(sealed: Buffer, owner: string): string | undefined {
    const ivEnd = FORM.length + IV_BYTES;
    const [iv, tag, encrypted] = [
      sealed.subarray(FORM.length, ivEnd),
      sealed.subarray(ivEnd, ivEnd + TAG_BYTES),
      sealed.subarray(ivEnd + TAG_BYTES),
    ];
    try {
      const decipher = createDecipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
