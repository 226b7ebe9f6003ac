import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPE_NAMES, WebhookAttemptView, WebhookEndpointView } from '@portage/events';
import { ListOf, PageOf } from '@portage/operators';
import { ConfirmationField, IdField, IntegerField, UnreadField } from '../../http/fields';

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

/** The body that creates an endpoint. Its use case validates it. */
export class CreateWebhookRequest {
  @UnreadField(
    { type: 'string', maxLength: 2_048, required: true },
    {
      description:
        'Starts with https://, with port 443 or a port from 1024 on, and resolves to public addresses only.',
    },
  )
  url?: unknown;

  @UnreadField(
    { type: 'string', enum: [...EVENT_TYPE_NAMES], isArray: true, minItems: 1 },
    { nullable: true, description: 'Without it: the ends of submissions, and errors.' },
  )
  types?: unknown;

  @UnreadField({ type: 'string', maxLength: 256 }, { nullable: true })
  description?: unknown;
}

/** The confirmation of a deletion. */
export class DeleteWebhookRequest {
  @ConfirmationField('The id of the endpoint, as the operator typed it.')
  confirm?: string;
}
