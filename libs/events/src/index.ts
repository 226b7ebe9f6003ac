export { EventsModule } from './events.module';
export { EventFeedHold } from './feed/event-feed-hold';
export { EVENT_DATA_SCHEMAS, exampleEvent, FEED_EVENT_SCHEMA, type JsonSchema } from './feed/event-schema';
export { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, isEventType } from './feed/event-type';
export { EventsAnswer } from './feed/events.dto';
export { FeedMetrics } from './feed/feed-metrics';
export { FinishSubmissions } from './feed/finish-submissions';
export { ReadEvents } from './feed/read-events';
export { DispatchWebhooks } from './webhooks/dispatch-webhooks';
export { EraseWebhookAttempts } from './webhooks/erase-webhook-attempts';
export { ObserveWebhooks } from './webhooks/observe-webhooks';
export { TestWebhook } from './webhooks/test-webhook';
export { WebhookMetrics } from './webhooks/webhook-metrics';
export {
  DEFAULT_WEBHOOK_TYPES,
  isWebhookDescription,
  MAX_WEBHOOK_DESCRIPTION_LENGTH,
} from './webhooks/webhook-endpoint';
export { type NewWebhookEndpoint, WebhookEndpoints } from './webhooks/webhook-endpoints';
export {
  WebhookAttemptView,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
  WebhookVerificationResult,
} from './webhooks/webhooks.dto';
export { eventEntities } from './entities';
