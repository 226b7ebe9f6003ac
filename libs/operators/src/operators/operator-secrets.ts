import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, PortageError, SecretBox } from '@portage/platform';

/** Encrypts the secrets of second factors, for their operator. */
@Injectable()
export class OperatorSecrets extends SecretBox {
  constructor(@Inject(CONFIG) { OPERATOR_SECRETS_KEY }: Pick<Config, 'OPERATOR_SECRETS_KEY'>) {
    super(OPERATOR_SECRETS_KEY, {
      name: 'portage operator totp',
      owner: 'operator',
      missingKey:
        'Second factors are not set up in this service. Its operator has to set OPERATOR_SECRETS_KEY.',
    });
  }

  /** @throws PortageError `unavailable` without the key that it was encrypted with */
  override open(sealed: Buffer, operatorId: number): string {
    const secret = super.open(sealed, operatorId);
    if (secret !== undefined) return secret;
    throw new PortageError(
      'unavailable',
      'The second factor cannot be read: OPERATOR_SECRETS_KEY has changed. An admin can reset your password, which removes it.',
    );
  }
}
