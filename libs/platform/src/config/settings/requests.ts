import { integer } from '../validators';

export const requestSettings = {
  MAX_BODY_BYTES: integer({
    min: 1_000,
    max: 100_000_000,
    default: 10_485_760,
    desc: 'Maximum size in bytes of a request body. A larger body gets 413.',
  }),
  MAX_BODY_MEMORY_BYTES: integer({
    min: 1_000_000,
    max: 1_000_000_000_000,
    default: 201_326_592,
    desc: 'Maximum estimated memory in bytes of the request bodies that one API instance holds at the same time: three times their size, and 64 bytes for each value and key. Half of it is available to one organisation. A request beyond its organisation gets 429, beyond the instance 503. Set it to at most 40 percent of the heap.',
  }),
  MAX_ARRAY_ITEMS: integer({
    min: 1,
    max: 1_000_000,
    default: 10_000,
    desc: 'Maximum number of items of an array in a request body.',
  }),
  MAX_ERRORS: integer({
    min: 2,
    max: 100_000,
    default: 1_000,
    desc: 'Maximum number of validation errors in one response.',
  }),
  OUTCOME_WAIT_MS: integer({
    min: 100,
    max: 600_000,
    default: 25_000,
    desc: 'Maximum wait in milliseconds of an API request for the worker that performs it. After that the client gets 503 and the worker still completes the request.',
  }),
  REQUEST_MEMORY_HOURS: integer({
    min: 1,
    max: 8_760,
    default: 72,
    desc: 'Time in hours that completed requests and the responses to their Idempotency-Key are stored.',
  }),
};
