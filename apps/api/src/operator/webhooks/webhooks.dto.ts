import { ApiProperty } from '@nestjs/swagger';
import { WebhookAttemptView, WebhookEndpointView } from '@portage/events';
import { ListOf, PageOf } from '@portage/operators';
import { ConfirmationField, IdField, IntegerField } from '../../http/fields';

/** The webhook endpoints of a supplier. */
export class WebhookList extends ListOf(WebhookEndpointView) {}

/** A page of the attempts of an endpoint. */
export class WebhookAttemptPage extends PageOf(WebhookAttemptView) {}

/** An endpoint with its last attempts. */
export class WebhookDetail {
  @ApiProperty()
  endpoint: WebhookEndpointView;

  @ApiProperty({ type: [WebhookAttemptView] })
  attempts: WebhookAttemptView[];
}

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
