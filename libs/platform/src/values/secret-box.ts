import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { PortageError } from '../errors/portage-error';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The form of a sealed secret: this byte, the initialisation vector, the tag and the encrypted text. */
const FORM = Buffer.from([1]);

/** What the secrets of a {@link SecretBox} are for. */
export interface SecretPurpose {
  /** Separates the keys that are derived from one configured secret. */
  name: string;
  /** The kind of the owners, such as `supplier`. */
  owner: string;
  /** Tells a client that no key is configured. */
  missingKey: string;
}

/**
 * Encrypts secrets that cannot be stored as hashes, each for its owner: it cannot be moved to another one. A reader of the
 * database or of a dump cannot read them.
 */
export class SecretBox {
  private readonly key: Buffer | undefined;

  constructor(
    configured: string | undefined,
    private readonly purpose: SecretPurpose,
  ) {
    this.key =
      configured === undefined
        ? undefined
        : Buffer.from(hkdfSync('sha256', configured, '', purpose.name, KEY_BYTES));
  }

  /** False in production while no key is configured. */
  get isAvailable(): boolean {
    return this.key !== undefined;
  }

  /** @throws PortageError `unavailable` without a key */
  seal(secret: string, ownerId: number): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.requireKey(), iv).setAAD(this.ownerOf(ownerId));
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([FORM, iv, cipher.getAuthTag(), encrypted]);
  }

  /**
   * Undefined if the secret was encrypted with another key, for another owner, or was changed.
   *
   * @throws PortageError `unavailable` without a key
   */
  open(sealed: Buffer, ownerId: number): string | undefined {
    const key = this.requireKey();
    const ivEnd = FORM.length + IV_BYTES;
    const [iv, tag, encrypted] = [
      sealed.subarray(FORM.length, ivEnd),
      sealed.subarray(ivEnd, ivEnd + TAG_BYTES),
      sealed.subarray(ivEnd + TAG_BYTES),
    ];
    try {
      const decipher = createDecipheriv(CIPHER, key, iv).setAAD(this.ownerOf(ownerId)).setAuthTag(tag);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  private ownerOf(id: number): Buffer {
    return Buffer.from(`${this.purpose.owner} ${id}`);
  }

  private requireKey(): Buffer {
    if (this.key) return this.key;
    throw new PortageError('unavailable', this.purpose.missingKey);
  }
}
