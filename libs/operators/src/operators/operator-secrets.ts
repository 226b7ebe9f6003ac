import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, PortageError, SecretBox } from '@portage/platform';

/** Encrypts the secrets of second factors, with a key from OPERATOR_SECRETS_KEY. */
@Injectable()
export class OperatorSecrets {
  private readonly box: SecretBox | undefined;

  constructor(@Inject(CONFIG) { OPERATOR_SECRETS_KEY }: Pick<Config, 'OPERATOR_SECRETS_KEY'>) {
    this.box =
      OPERATOR_SECRETS_KEY === undefined
        ? undefined
        : new SecretBox(OPERATOR_SECRETS_KEY, 'portage operator totp');
  }

  /** @throws PortageError `unavailable` without a key */
  seal(secret: string, operatorId: number): Buffer {
    return this.requireBox().seal(secret, ownerOf(operatorId));
  }

  /**
   * Decrypts a secret.
   *
   * @throws PortageError `unavailable` without the key that it was encrypted with
   */
  open(sealed: Buffer, operatorId: number): string {
    const secret = this.requireBox().open(sealed, ownerOf(operatorId));
    if (secret !== undefined) return secret;
    throw new PortageError(
      'unavailable',
      'The second factor cannot be read: OPERATOR_SECRETS_KEY has changed. An admin can reset your password, which removes it.',
    );
  }

  private requireBox(): SecretBox {
    if (this.box) return this.box;
    throw new PortageError(
      'unavailable',
      'Second factors are not set up in this service. Its operator has to set OPERATOR_SECRETS_KEY.',
    );
  }
}

function ownerOf(operatorId: number): string {
  return `operator ${operatorId}`;
}
