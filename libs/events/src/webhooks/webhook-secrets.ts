import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, SecretBox } from '@portage/platform';

/** Encrypts the secrets of webhook endpoints, which sign and therefore cannot be stored as hashes, for their supplier. */
@Injectable()
export class WebhookSecrets extends SecretBox {
  constructor(@Inject(CONFIG) { WEBHOOK_SECRETS_KEY }: Pick<Config, 'WEBHOOK_SECRETS_KEY'>) {
    super(WEBHOOK_SECRETS_KEY, {
      name: 'portage webhook secrets',
      owner: 'supplier',
      missingKey: 'Webhooks are not set up in this service. Its operator has to set WEBHOOK_SECRETS_KEY.',
    });
  }
}
