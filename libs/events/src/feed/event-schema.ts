import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from './event-type';
import type { AccountEventData, FeedEvent, SubmissionEventData } from './feed-event';

/** A JSON Schema (2020-12), as OpenAPI 3.1 and AsyncAPI 3 use it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;

/** The schema of an object that has all of the properties. */
function allOf(properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema {
  const required = Object.keys(properties);
  return { type: 'object', ...(description !== undefined && { description }), required, properties };
}

const submission = allOf({
  id: text,
  reference: { ...text, description: "The supplier's own name of the submission." },
});

const error = allOf({
  code: { ...text, description: 'Machine-readable. It does not change.' },
  detail: { ...text, description: 'For people. The wording can change.' },
  domain: { ...text, enum: ['import_process', 'post_import'] },
});

const importSupplier = { ...text, description: 'The code of the import supplier.' };

const accountData = allOf(
  {
    import_supplier: importSupplier,
    external_account_number: text,
    external_identifier: {
      ...optionalText,
      description: 'Null once the data of the account was erased, unless it is the account number.',
    },
    platform_account_number: {
      ...optionalText,
      description: 'The number of the account on the platform, if it is imported when the event is read.',
    },
    submission: {
      description: 'The submission that had sent the account; null if it was sent by itself.',
      anyOf: [submission, { type: 'null' }],
    },
    error: { description: 'Set if the event is an error.', anyOf: [error, { type: 'null' }] },
  },
  'The account that the event is about. Nothing else of the account is in it.',
);

const SUBMISSION_EXAMPLE = {
  import_supplier: 'DEMO',
  submission: { id: '17', reference: 'book-2026-11' },
  counts: {
    received: 20_000,
    refused: 13,
    repeated: 64,
    unchanged: 0,
    correcting: 0,
    corrected: 0,
    would_correct: 0,
    correction_errored: 0,
    pending: 0,
    in_progress: 0,
    processed: 19_970,
    dry_run_succeeded: 0,
    dry_run_errored: 0,
    cancelled: 4,
    errored: 13,
  },
  reconciled: true,
} satisfies SubmissionEventData;

const submissionData = allOf(
  {
    import_supplier: importSupplier,
    submission,
    counts: allOf(
      Object.fromEntries(Object.keys(SUBMISSION_EXAMPLE.counts).map((name) => [name, { type: 'integer' }])),
      'The accounts, or the lines of additions, of the submission at its end.',
    ),
    reconciled: {
      type: 'boolean',
      description: 'True if the account tables agree with the control totals and with what was received.',
    },
  },
  'The submission that the event is about.',
);

/** The schemas of `data`, by the subject of events. */
export const EVENT_DATA_SCHEMAS = { account: accountData, submission: submissionData } as const;

const ACCOUNT_EXAMPLE: AccountEventData = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  external_identifier: 'A-100231',
  platform_account_number: 'A-9c41e07b',
  submission: { id: '17', reference: 'book-2026-11' },
  error: null,
};

const FAILED_EXAMPLE = {
  ...ACCOUNT_EXAMPLE,
  external_account_number: 'A-100232',
  external_identifier: 'A-100232',
  error: {
    code: 'import_process_failed_validation',
    detail: 'customers.0.email: Enter a valid e-mail address.',
    domain: 'import_process',
  },
} as const;

const FAILED_EXAMPLES: Partial<Record<string, AccountEventData>> = {
  ERRORED: FAILED_EXAMPLE,
  DRY_RUN_ERRORED: FAILED_EXAMPLE,
  POST_IMPORT_ERRORED: {
    ...FAILED_EXAMPLE,
    error: {
      code: 'path_does_not_exist_in_file_store',
      detail: 'It has ended with the error path_does_not_exist_in_file_store.',
      domain: 'post_import',
    },
  },
};

/** An event of this type, as the documents show it. */
export function exampleEvent(type: EventType): FeedEvent {
  const [event = ''] = EVENT_TYPES[type].events;
  const timestamp = '2026-11-21T09:41:10.000512+00:00';
  if (EVENT_TYPES[type].subject === 'submission')
    return { id: 'evt_submission_17_1', type, timestamp, data: SUBMISSION_EXAMPLE };
  const isImported = event === 'PROCESSED' || event.startsWith('POST_IMPORT');
  const example = FAILED_EXAMPLES[event] ?? ACCOUNT_EXAMPLE;
  const data = isImported ? example : { ...example, platform_account_number: null };
  return { id: `evt_412_1_1_${event.toLowerCase()}`, type, timestamp, data };
}

/** An event in the feed: that of a webhook, with its id. */
export const FEED_EVENT_SCHEMA = allOf({
  id: { ...text, description: 'Unique, and the same whenever the event is read or delivered.' },
  type: {
    ...text,
    enum: [...EVENT_TYPE_NAMES],
    description: 'More types may be added: ignore those that you do not know.',
  },
  timestamp: {
    ...text,
    format: 'date-time',
    description: 'When it happened. The feed is not ordered by it.',
  },
  data: { anyOf: [accountData, submissionData] },
});
