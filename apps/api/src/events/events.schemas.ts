import { FEED_EVENT_SCHEMA } from '@portage/domain';

const eventPage = {
  type: 'object',
  required: ['events', 'next'],
  properties: {
    events: { type: 'array', items: { $ref: '#/components/schemas/Event' } },
    next: {
      type: 'string',
      description: 'Pass it as `after` to read on. It does not expire; its content can change.',
    },
  },
};

/** The schemas of the event feed in the OpenAPI document. */
export const eventSchemas = { Event: FEED_EVENT_SCHEMA, EventPage: eventPage };

/** A cursor as the feed returns it, for examples. */
export const EXAMPLE_CURSOR = 'MS44MDQuMC40MTIuMS4xLlBST0NFU1NFRA';
