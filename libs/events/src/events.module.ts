import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '@portage/accounts';
import { ImportsModule } from '@portage/imports';
import { PlatformModule } from '@portage/platform';
import { SubmissionEventEntity, SubmissionsModule } from '@portage/submissions';
import { TenantsModule } from '@portage/tenants';
import { eventEntities } from './entities';
import { EventArrivals } from './feed/event-arrivals';
import { FeedMetrics } from './feed/feed-metrics';
import { WebhookMetrics } from './webhooks/webhook-metrics';
import { EventFeedHold } from './feed/event-feed-hold';
import { EventFeedRepository } from './feed/event-feed.repository';
import { FinishSubmissions } from './feed/finish-submissions';
import { ReadEvents } from './feed/read-events';
import { SubmissionEventRepository } from './feed/submission-event.repository';
import { AttemptDelivery } from './webhooks/attempt-delivery';
import { DispatchWebhooks } from './webhooks/dispatch-webhooks';
import { EraseWebhookAttempts } from './webhooks/erase-webhook-attempts';
import { ObserveWebhooks } from './webhooks/observe-webhooks';
import { ServeWebhookEndpoint } from './webhooks/serve-webhook-endpoint';
import { TestWebhook } from './webhooks/test-webhook';
import { WebhookAttemptRepository } from './webhooks/webhook-attempt.repository';
import { WebhookDispatchRepository } from './webhooks/webhook-dispatch.repository';
import { WebhookEndpointRepository } from './webhooks/webhook-endpoint.repository';
import { WebhookEndpoints } from './webhooks/webhook-endpoints';
import { WebhookSecrets } from './webhooks/webhook-secrets';
import { WebhookSender } from './webhooks/webhook-sender';

/** The module exports all of them; what other libraries use is in index.ts. */
const providers = [
  FeedMetrics,
  WebhookMetrics,
  AttemptDelivery,
  DispatchWebhooks,
  EraseWebhookAttempts,
  EventArrivals,
  EventFeedHold,
  EventFeedRepository,
  FinishSubmissions,
  ObserveWebhooks,
  ReadEvents,
  ServeWebhookEndpoint,
  SubmissionEventRepository,
  TestWebhook,
  WebhookAttemptRepository,
  WebhookDispatchRepository,
  WebhookEndpointRepository,
  WebhookEndpoints,
  WebhookSecrets,
  WebhookSender,
];

/** The feed of events, and webhooks. */
@Module({
  imports: [
    PlatformModule,
    TenantsModule,
    AccountsModule,
    ImportsModule,
    SubmissionsModule,
    TypeOrmModule.forFeature([...eventEntities, SubmissionEventEntity]),
  ],
  providers,
  exports: providers,
})
export class EventsModule {}
