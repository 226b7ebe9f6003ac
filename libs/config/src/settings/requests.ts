import { integer } from '../validators';

export const requestSettings = {
  MAX_BODY_BYTES: integer({
    min: 1_000,
    max: 100_000_000,
    default: 10_485_760,
    desc: 'Maximum size in bytes of a request body. A larger body gets 413.',
  }),
  MAX_ARRAY_ITEMS: integer({
    min: 1,
    max: 1_000_000,
    default: 10_000,
    desc: 'Maximum number of items of an array in a request body.',
  }),
  MAX_NESTING: integer({
    min: 8,
    max: 1_000,
    default: 32,
    desc: 'Maximum nesting depth of a request body.',
  }),
  MAX_ERRORS: integer({
    min: 2,
    max: 100_000,
    default: 1_000,
    desc: 'Maximum number of validation errors in one response.',
  }),
  MAX_LIST_PAGE: integer({
    min: 1,
    max: 100_000,
    default: 10_000,
    desc: 'Maximum `limit` of the list endpoints.',
  }),
  LIST_CHUNK_ROWS: integer({
    min: 1,
    max: 50_000,
    default: 2_000,
    desc: 'Number of rows that a list endpoint keeps in memory while it streams.',
  }),
  OUTCOME_WAIT_MS: integer({
    min: 100,
    max: 600_000,
    default: 25_000,
    desc: 'Maximum wait in milliseconds of an API request for the worker that performs it. After that the client gets 503 and the worker still completes the request.',
  }),
  OUTCOME_POLL_MS: integer({
    min: 10,
    max: 60_000,
    default: 1_000,
    desc: 'Interval in milliseconds of the polling for outcomes whose notification was missed.',
  }),
  REQUEST_MEMORY_HOURS: integer({
    min: 1,
    max: 8_760,
    default: 72,
    desc: 'Time in hours that completed requests and the responses to their Idempotency-Key are stored.',
  }),
  SCHEDULE_WINDOW_MAX_DAYS: integer({
    min: 1,
    max: 365,
    default: 4,
    desc: 'Maximum number of days until the end of a schedule window; also its default length.',
  }),
};
