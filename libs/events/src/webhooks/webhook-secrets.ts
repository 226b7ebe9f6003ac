import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, PortageError, SecretBox } from '@portage/platform';

/**
 * Encrypts the secrets of webhook endpoints, which sign and therefore cannot be stored as hashes. The key is derived from
 * WEBHOOK_SECRETS_KEY, so that a reader of the database or of a dump cannot sign.
 */
@Injectable()
export class WebhookSecrets {
  private readonly box: SecretBox | undefined;

  constructor(@Inject(CONFIG) { WEBHOOK_SECRETS_KEY }: Pick<Config, 'WEBHOOK_SECRETS_KEY'>) {
    this.box =
      WEBHOOK_SECRETS_KEY === undefined
        ? undefined
        : new SecretBox(WEBHOOK_SECRETS_KEY, 'portage webhook secrets');
  }

  /** False in production while WEBHOOK_SECRETS_KEY is not set. */
  get areAvailable(): boolean {
    return this.box !== undefined;
  }

  /**
   * Encrypts a secret for the endpoints of one supplier: it cannot be moved to those of another.
   *
   * @throws PortageError `unavailable` without a key
   */
  seal(secret: string, supplierId: number): Buffer {
    return this.requireBox().seal(secret, ownerOf(supplierId));
  }

  /**
   * Decrypts a secret. Undefined if it was encrypted with another key, for another supplier, or was changed.
   *
   * @throws PortageError `unavailable` without a key
   */
  open(sealed: Buffer, supplierId: number): string | undefined {
    return this.requireBox().open(sealed, ownerOf(supplierId));
  }

  private requireBox(): SecretBox {
    if (this.box) return this.box;
    throw new PortageError(
      'unavailable',
      'Webhooks are not set up in this service. Its operator has to set WEBHOOK_SECRETS_KEY.',
    );
  }
}

function ownerOf(supplierId: number): string {
  return `supplier ${supplierId}`;
}
