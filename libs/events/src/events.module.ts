import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '@portage/accounts';
import { ImportsModule } from '@portage/imports';
import { PlatformModule } from '@portage/platform';
import { SubmissionsModule } from '@portage/submissions';
import { TenantsModule } from '@portage/tenants';
import { eventEntities } from './entities';
import { AnnounceSubmissionEnds } from './feed/announce-submission-ends';
import { ARRIVAL_POLLING, arrivalPolling, EventArrivals } from './feed/event-arrivals';
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
import { WebhooksModule } from './webhooks/webhooks.module';

/** The feed of events, and webhooks. */
@Module({
  imports: [
    PlatformModule,
    TenantsModule,
    AccountsModule,
    ImportsModule,
    SubmissionsModule,
    WebhooksModule,
    TypeOrmModule.forFeature(eventEntities),
  ],
  providers: [
    AnnounceSubmissionEnds,
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
    { provide: ARRIVAL_POLLING, useValue: arrivalPolling },
  ],
  exports: [
    DispatchWebhooks,
    EraseWebhookAttempts,
    EventFeedHold,
    FinishSubmissions,
    ObserveWebhooks,
    ReadEvents,
    TestWebhook,
    WebhookEndpoints,
  ],
})
export class EventsModule {}
