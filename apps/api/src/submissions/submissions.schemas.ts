import { IMPORT_PROCESS_STATUSES, MEASURES, SUBMISSION_STATUSES } from '@portage/domain';

const submissionProperties = {
  id: { type: 'string' },
  import_supplier: { type: 'string' },
  reference: { type: 'string', description: "The supplier's own name for it." },
  status: {
    type: 'string',
    enum: [...SUBMISSION_STATUSES],
    description: 'FINISHED: complete, and every account has come to its end.',
  },
  created_at: { type: 'string', format: 'date-time' },
  completed_at: { type: ['string', 'null'], format: 'date-time' },
  finished_at: { type: ['string', 'null'], format: 'date-time' },
};

const listedSubmission = {
  type: 'object',
  required: Object.keys(submissionProperties),
  properties: submissionProperties,
};

const countNames = [
  'received',
  'refused',
  'repeated',
  ...IMPORT_PROCESS_STATUSES.map((status) => status.toLowerCase()),
];

const submissionCounts = {
  type: 'object',
  description: '`received` is the sum of `refused` and all states.',
  required: countNames,
  properties: Object.fromEntries(countNames.map((name) => [name, { type: 'integer' }])),
};

const submissionWithCounts = {
  ...submissionProperties,
  counts: submissionCounts,
  accounts_per_second: { type: ['number', 'null'], description: 'Null while no account comes to its end.' },
  estimated_end: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Null while it is not known.',
  },
};

const submission = {
  type: 'object',
  required: Object.keys(submissionWithCounts),
  properties: submissionWithCounts,
};

const abortedSubmission = {
  type: 'object',
  required: ['cancelled', 'submission'],
  properties: {
    cancelled: { type: 'integer', description: 'Accounts that this request has cancelled.' },
    submission: { $ref: '#/components/schemas/Submission' },
  },
};

const measureSchema = (measure: string) =>
  measure === 'opening_balance'
    ? { type: ['string', 'number', 'null'], description: 'In the currency of the supplier, as decimal text.' }
    : { type: ['integer', 'null'], minimum: 0 };

const openSubmissionRequest = {
  type: 'object',
  required: ['import_supplier', 'reference'],
  properties: {
    import_supplier: { type: 'string', description: 'Import supplier code' },
    reference: { type: 'string', minLength: 1, maxLength: 128, description: 'Unique for each supplier.' },
    expected: {
      type: ['object', 'null'],
      description: 'Control totals, any of the measures.',
      additionalProperties: false,
      properties: Object.fromEntries(MEASURES.map((measure) => [measure, measureSchema(measure)])),
    },
    task_params: { $ref: '#/components/schemas/TaskParams' },
  },
};

const upload = {
  type: 'object',
  required: ['lines', 'accepted', 'refused', 'repeated', 'ignored_fields'],
  properties: {
    lines: { type: 'integer', description: 'Lines that were read, without blank ones.' },
    accepted: { type: 'integer' },
    refused: { type: 'integer' },
    repeated: {
      type: 'integer',
      description: 'Lines whose account the submission had with the same content.',
    },
    ignored_fields: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description:
        'Values in fields that the contract does not have, counted by path. They are stored without effect. `*` stands for positions in lists; `(other fields)` counts the paths beyond 500.',
    },
  },
};

/** The schemas of submissions in the OpenAPI document. */
export const submissionSchemas = {
  Submission: submission,
  ListedSubmission: listedSubmission,
  AbortedSubmission: abortedSubmission,
  OpenSubmissionRequest: openSubmissionRequest,
  Upload: upload,
};
