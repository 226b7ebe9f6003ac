import { EVENT_TYPE_NAMES, WEBHOOK_DISABLED_REASONS, WEBHOOK_STATUSES } from '@portage/domain';

const eventTypes = { type: 'array', minItems: 1, items: { type: 'string', enum: [...EVENT_TYPE_NAMES] } };

const webhookEndpointProperties = {
  id: { type: 'string' },
  import_supplier: { type: 'string' },
  url: { type: 'string' },
  types: { ...eventTypes, description: 'The types of events that are sent.' },
  description: { type: ['string', 'null'] },
  status: { type: 'string', enum: [...WEBHOOK_STATUSES] },
  disabled_reason: {
    type: ['string', 'null'],
    enum: [...Object.keys(WEBHOOK_DISABLED_REASONS), null],
    description: Object.entries(WEBHOOK_DISABLED_REASONS)
      .map(([reason, text]) => `${reason}: ${text}`)
      .join(' '),
  },
  disabled_at: { type: ['string', 'null'], format: 'date-time' },
  failing_since: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Time of the first failed attempt of the event after `cursor`.',
  },
  next_attempt_at: { type: ['string', 'null'], format: 'date-time' },
  cursor: { type: 'string', description: 'The place in the feed up to which everything was delivered.' },
  previous_secret_until: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Until then the secret before the last rotation signs too.',
  },
  created_at: { type: 'string', format: 'date-time' },
};

const webhookEndpoint = {
  type: 'object',
  required: Object.keys(webhookEndpointProperties),
  properties: webhookEndpointProperties,
};

const webhookEndpointWithSecret = {
  type: 'object',
  required: [...Object.keys(webhookEndpointProperties), 'secret'],
  properties: {
    ...webhookEndpointProperties,
    secret: {
      type: 'string',
      description: 'Signs the events, as the Standard Webhooks specification says. Shown once.',
    },
  },
};

const createWebhookEndpointRequest = {
  type: 'object',
  required: ['import_supplier', 'url'],
  properties: {
    import_supplier: { type: 'string', description: 'Import supplier code' },
    url: {
      type: 'string',
      maxLength: 2_048,
      description:
        'Starts with https://, with port 443 or a port from 1024 on, and resolves to public addresses only.',
    },
    types: {
      ...eventTypes,
      type: ['array', 'null'],
      description: 'Without it: the ends of submissions, and errors.',
    },
    description: { type: ['string', 'null'], maxLength: 256 },
  },
};

const replayWebhookEventsRequest = {
  type: 'object',
  required: ['after'],
  properties: {
    after: {
      type: 'string',
      description: 'A cursor: `next` of the feed or `cursor` of an endpoint. Also `beginning` and `now`.',
    },
  },
};

const webhookAttempt = {
  type: 'object',
  required: ['id', 'event_id', 'type', 'attempt', 'status', 'error', 'duration_ms', 'occurred_at'],
  properties: {
    id: { type: 'string' },
    event_id: { type: 'string', description: 'The id of the event, which `webhook-id` had.' },
    type: { type: 'string' },
    attempt: { type: 'integer', description: 'From 1, for each event.' },
    status: { type: ['integer', 'null'], description: 'HTTP status; null if there was no response.' },
    error: { type: ['string', 'null'], description: 'A code; null after a delivery.' },
    duration_ms: { type: 'integer' },
    occurred_at: { type: 'string', format: 'date-time' },
  },
};

const webhookTest = {
  type: 'object',
  required: ['event_id', 'delivered', 'status', 'error', 'duration_ms'],
  properties: {
    event_id: { type: 'string' },
    delivered: { type: 'boolean', description: 'True if the receiver answered with 2xx.' },
    status: { type: ['integer', 'null'], description: 'HTTP status; null if there was no response.' },
    error: {
      anyOf: [
        {
          type: 'object',
          required: ['code', 'detail'],
          properties: { code: { type: 'string' }, detail: { type: 'string' } },
        },
        { type: 'null' },
      ],
    },
    duration_ms: { type: 'integer' },
  },
};

/** The schemas of the operations of webhook endpoints. */
export const webhookSchemas = {
  WebhookEndpoint: webhookEndpoint,
  WebhookEndpointWithSecret: webhookEndpointWithSecret,
  CreateWebhookEndpointRequest: createWebhookEndpointRequest,
  ReplayWebhookEventsRequest: replayWebhookEventsRequest,
  WebhookAttempt: webhookAttempt,
  WebhookTest: webhookTest,
};
