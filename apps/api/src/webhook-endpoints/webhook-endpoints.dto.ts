import {
  EVENT_TYPE_NAMES,
  type EventType,
  isWebhookDescription,
  MAX_WEBHOOK_DESCRIPTION_LENGTH,
  type NewWebhookEndpoint,
} from '@portage/events';
import { AnyTextField, ChoiceListField, Field, ImportSupplierField, SupplierField } from '../http/fields';

/** The query of the list of endpoints. */
export class WebhookEndpointsQuery {
  @SupplierField()
  supplier: string;
}

/** The body with which an operator creates an endpoint of a supplier. */
export class CreateWebhookRequest {
  @AnyTextField({
    required: true,
    schema: { maxLength: 2_048 },
    description:
      'Starts with https://, with port 443 or a port from 1024 on, and resolves to public addresses only.',
  })
  url: string;

  @ChoiceListField(EVENT_TYPE_NAMES, 'Without it: the ends of submissions, and errors.')
  types?: EventType[] | null;

  @Field(
    {
      code: 'invalid',
      detail: `Enter at most ${MAX_WEBHOOK_DESCRIPTION_LENGTH} visible characters.`,
      parse: (value) => (typeof value === 'string' && isWebhookDescription(value) ? value : undefined),
    },
    { type: 'string', maxLength: MAX_WEBHOOK_DESCRIPTION_LENGTH },
    { nullable: true },
  )
  description?: string | null;
}

/** The body with which a supplier creates an endpoint. */
export class CreateWebhookEndpointRequest extends CreateWebhookRequest implements NewWebhookEndpoint {
  @ImportSupplierField()
  import_supplier: string;
}

/** The body that replays events. */
export class ReplayWebhookEventsRequest {
  @AnyTextField({
    required: true,
    description: 'A cursor: `next` of the feed or `cursor` of an endpoint. Also `beginning` and `now`.',
  })
  after: string;
}
