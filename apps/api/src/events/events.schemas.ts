import { FEED_EVENT_SCHEMA } from '@portage/events';

/** The schema of an event, which the AsyncAPI document has too. */
export const eventSchemas = { Event: FEED_EVENT_SCHEMA };

/** A cursor as the feed returns it, for examples. */
export const EXAMPLE_CURSOR = 'MS44MDQuMC40MTIuMS4xLlBST0NFU1NFRA';
