import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/platform';
import { HttpsWebhookSender } from './https-webhook-sender';
import { WebhookSender } from './webhook-sender';

/** Provides {@link WebhookSender}. */
@Module({
  providers: [
    {
      provide: WebhookSender,
      inject: [CONFIG],
      useFactory: (config: Config) => new HttpsWebhookSender(config),
    },
  ],
  exports: [WebhookSender],
})
export class WebhooksModule {}
