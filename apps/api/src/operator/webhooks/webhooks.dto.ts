import type { Page, List } from '@portage/operators';
import { WebhookAttemptView, WebhookEndpointView } from '@portage/events';
import { ConfirmationField, IdField, IntegerField } from '../../http/fields';

/** The webhook endpoints of a supplier. */
export type WebhookList = List<WebhookEndpointView>;

/** A page of the attempts of an endpoint. */
export type WebhookAttemptPage = Page<WebhookAttemptView>;

/** The query of the attempts of an endpoint. */
export class WebhookAttemptsQuery {
  @IntegerField({ min: 1, max: 200, default: 50, description: 'Items of a page.' })
  limit: number;

  @IdField({ description: 'The `next_cursor` of the page before.' })
  cursor?: string;
}

/** The confirmation of a deletion. */
export class DeleteWebhookRequest {
  @ConfirmationField('The id of the endpoint, as the operator typed it.')
  confirm?: string;
}
