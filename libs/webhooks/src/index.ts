export { type ResolveName } from './checked-lookup';
export { type AttemptLimits, HttpsWebhookSender } from './https-webhook-sender';
export {
  DELIVERY_ERRORS,
  type DeliveryError,
  type DeliveryResult,
  type WebhookChannel,
  type WebhookRequest,
  WebhookSender,
} from './webhook-sender';
export { checkWebhookUrl, MAX_URL_LENGTH } from './webhook-url';
export { WebhooksModule } from './webhooks.module';
