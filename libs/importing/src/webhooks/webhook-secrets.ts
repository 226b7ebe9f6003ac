import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { PortageError } from '@portage/domain';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The form of a sealed secret: this byte, the initialisation vector, the tag and the encrypted text. */
const FORM = Buffer.from([1]);

/**
 * Encrypts the secrets of webhook endpoints, which sign and therefore cannot be stored as hashes. The key is derived from
 * WEBHOOK_SECRETS_KEY, so that a reader of the database or of a dump cannot sign.
 */
@Injectable()
export class WebhookSecrets {
  private readonly key: Buffer | undefined;

  constructor(@Inject(CONFIG) { WEBHOOK_SECRETS_KEY }: Pick<Config, 'WEBHOOK_SECRETS_KEY'>) {
    this.key =
      WEBHOOK_SECRETS_KEY === undefined
        ? undefined
        : Buffer.from(hkdfSync('sha256', WEBHOOK_SECRETS_KEY, '', 'portage webhook secrets', KEY_BYTES));
  }

  /** False in production while WEBHOOK_SECRETS_KEY is not set. */
  get areAvailable(): boolean {
    return this.key !== undefined;
  }

  /**
   * Encrypts a secret for the endpoints of one supplier: it cannot be moved to those of another.
   *
   * @throws PortageError `unavailable` without a key
   */
  seal(secret: string, supplierId: number): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.requireKey(), iv).setAAD(ownerOf(supplierId));
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([FORM, iv, cipher.getAuthTag(), encrypted]);
  }

  /**
   * Decrypts a secret. Undefined if it was encrypted with another key, for another supplier, or was changed.
   *
   * @throws PortageError `unavailable` without a key
   */
  open(sealed: Buffer, supplierId: number): string | undefined {
    const key = this.requireKey();
    const ivEnd = FORM.length + IV_BYTES;
    const [iv, tag, encrypted] = [
      sealed.subarray(FORM.length, ivEnd),
      sealed.subarray(ivEnd, ivEnd + TAG_BYTES),
      sealed.subarray(ivEnd + TAG_BYTES),
    ];
    try {
      const decipher = createDecipheriv(CIPHER, key, iv).setAAD(ownerOf(supplierId)).setAuthTag(tag);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  private requireKey(): Buffer {
    if (this.key) return this.key;
    throw new PortageError(
      'unavailable',
      'Webhooks are not set up in this service. Its operator has to set WEBHOOK_SECRETS_KEY.',
    );
  }
}

function ownerOf(supplierId: number): Buffer {
  return Buffer.from(`supplier ${supplierId}`);
}
