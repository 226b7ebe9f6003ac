import {
  EVENT_DATA_SCHEMAS,
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventType,
  exampleEvent,
  FEED_EVENT_SCHEMA,
  type JsonSchema,
} from '@portage/events';
import { readRelease } from '@portage/platform';
import { MAX_EVENTS, MAX_WAIT_SECONDS } from '../events/events.dto';

/** The headers of a webhook, as the Standard Webhooks specification has them. */
const WEBHOOK_HEADERS: JsonSchema = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: 'The id of the event: the same at every attempt.' },
    'webhook-timestamp': { type: 'string', description: 'Time of the attempt in seconds since 1970.' },
    'webhook-signature': {
      type: 'string',
      description:
        '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. One for each valid secret, with spaces between them.',
    },
  },
};

const QUERY: JsonSchema = {
  type: 'object',
  required: ['supplier'],
  properties: {
    supplier: { type: 'string', description: 'Import supplier code.' },
    after: { type: 'string', description: 'The value of `next` from an earlier answer, or `now`.' },
    types: { type: 'string', description: 'Types with commas between them.' },
    limit: { type: 'integer', minimum: 1, maximum: MAX_EVENTS },
    wait: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS },
  },
};

const FEED = 'feed';
const WEBHOOK = 'webhook';

/** The AsyncAPI 3 document of the feed and of webhooks, from the same constant as the code. */
export function buildAsyncApiDocument(hosts: readonly string[]): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Portage: events of the data import',
      version: readRelease(),
      description:
        'What happens to accounts and submissions: read as a feed that misses nothing, or delivered as signed webhooks. Both have the same events. More types may be added; ignore those that you do not know.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
      tags: [{ name: 'Events', description: 'Events of accounts and submissions.' }],
    },
    defaultContentType: 'application/json',
    ...(hosts.length > 0 && {
      servers: Object.fromEntries(
        hosts.map((host, index) => [
          index === 0 ? 'api' : `api-${index + 1}`,
          { host, protocol: 'https', description: 'A public host name of the service.' },
        ]),
      ),
    }),
    channels: {
      events: {
        address: '/v2/data-import/events/',
        title: 'Feed',
        description:
          'Each answer has up to `limit` events as `events`, and the cursor `next`. A reader that passes it on as `after` misses no event and reads none twice.',
        messages: messageReferences(FEED),
      },
      // Without an address, because each webhook endpoint has one of its own.
      webhooks: {
        title: 'Webhooks',
        description:
          'Delivered to the `url` of each webhook endpoint, at least once and in the order of the feed. Any answer but 2xx is tried again.',
        messages: messageReferences(WEBHOOK),
      },
    },
    operations: {
      readEvents: {
        action: 'send',
        channel: { $ref: '#/channels/events' },
        title: 'Read the events of a supplier',
        description: 'A client reads them with GET; the service holds the request while there is nothing.',
        messages: EVENT_TYPE_NAMES.map((type) => ({ $ref: `#/channels/events/messages/${type}` })),
        bindings: { http: { method: 'GET', query: QUERY, bindingVersion: '0.3.0' } },
      },
      deliverEvent: {
        action: 'send',
        channel: { $ref: '#/channels/webhooks' },
        title: 'Deliver an event to a webhook endpoint',
        description:
          'The service sends each event with POST, signed as the Standard Webhooks specification says.',
        messages: EVENT_TYPE_NAMES.map((type) => ({ $ref: `#/channels/webhooks/messages/${type}` })),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      schemas: {
        AccountEventData: EVENT_DATA_SCHEMAS.account,
        SubmissionEventData: EVENT_DATA_SCHEMAS.submission,
      },
      messages: Object.fromEntries(
        EVENT_TYPE_NAMES.flatMap((type) => [
          [`${FEED}.${type}`, feedMessage(type)],
          [`${WEBHOOK}.${type}`, webhookMessage(type)],
        ]),
      ),
    },
  };
}

function messageReferences(form: string): object {
  return Object.fromEntries(
    EVENT_TYPE_NAMES.map((type) => [type, { $ref: `#/components/messages/${form}.${type}` }]),
  );
}

function feedMessage(type: EventType): object {
  return {
    ...describe(type),
    payload: payloadSchema(type, ['id']),
    examples: [{ payload: exampleEvent(type) }],
  };
}

function webhookMessage(type: EventType): object {
  const { id, ...payload } = exampleEvent(type);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': '1795340470',
    'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  };
  return {
    ...describe(type),
    headers: WEBHOOK_HEADERS,
    payload: payloadSchema(type, []),
    examples: [{ headers, payload }],
  };
}

function describe(type: EventType): object {
  const { summary, description } = EVENT_TYPES[type];
  return { name: type, title: summary, summary, description, contentType: 'application/json' };
}

/** The schema of an event of this type. Only in the feed the id is part of it. */
function payloadSchema(type: EventType, more: readonly string[]): object {
  const { properties } = FEED_EVENT_SCHEMA as { properties: Record<string, object> };
  const data = EVENT_TYPES[type].subject === 'account' ? 'AccountEventData' : 'SubmissionEventData';
  const names = [...more, 'type', 'timestamp', 'data'];
  const own: Record<string, object> = {
    ...properties,
    type: { type: 'string', const: type },
    data: { $ref: `#/components/schemas/${data}` },
  };
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, own[name]])),
  };
}
