import { WebhookAttemptEntity } from './webhooks/webhook-attempt.entity';
import { WebhookEndpointEntity } from './webhooks/webhook-endpoint.entity';

/** The tables of this subject. */
export const eventEntities = [WebhookAttemptEntity, WebhookEndpointEntity];
