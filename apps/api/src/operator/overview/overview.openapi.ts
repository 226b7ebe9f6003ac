import { IMPORT_PROCESS_STATUSES, IMPORT_SUPPLIER_STATUSES } from '@portage/domain';
import { OperatorOperation } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

/** The states that the bar of a supplier shows: those of the contract, and the accounts that wait for a release. */
const stateCounts: form.Schema = {
  ...form.objectOf(
    Object.fromEntries([...IMPORT_PROCESS_STATUSES, 'STAGED'].map((state) => [state, form.integer])),
  ),
  description:
    'Processes by state, counted each minute. STAGED counts accounts that wait for a request to process them; they are among PENDING.',
};

export const overviewSchemas: Readonly<Record<string, form.Schema>> = {
  Component: form.objectOf({
    status: form.oneOf(['ok', 'down']),
    detail: form.described(form.nullable(form.text), 'Why it is down, or what limits it.'),
  }),
  VendorBreaker: form.objectOf({
    name: form.text,
    breaker: form.described(
      form.oneOf(['closed', 'open', 'half-open', 'unknown']),
      'The worst state among the workers that are alive. `unknown`: no worker has reported.',
    ),
    since: form.described(form.nullable(form.moment), 'Since when the breaker is not closed.'),
  }),
  WorkerSeen: form.objectOf({ id: form.text, last_seen_at: form.moment }),
  Health: form.objectOf({
    database: form.ref('Component'),
    queues: form.ref('Component'),
    document_store: form.ref('Component'),
    vendors: form.listOf(form.ref('VendorBreaker')),
    workers: form.objectOf({
      alive: form.described(form.integer, 'Workers that have reported within the last 45 seconds.'),
      seen: form.listOf(form.ref('WorkerSeen')),
    }),
  }),
  StateCounts: stateCounts,
  SupplierSummary: form.objectOf({
    code: form.text,
    organisation: form.text,
    status: form.oneOf(IMPORT_SUPPLIER_STATUSES),
    states: form.ref('StateCounts'),
    processed_per_second: form.described(
      form.number,
      'Mean of the minutes of the estimate; 0 while no account is processed.',
    ),
    sparkline: {
      ...form.listOf(form.integer),
      minItems: 60,
      maxItems: 60,
      description: 'Accounts processed in each of the last 60 full minutes, the oldest first.',
    },
    oldest_waiting_at: form.described(
      form.nullable(form.moment),
      'When the account that has waited longest was received.',
    ),
    errored: form.described(form.integer, 'ERRORED and DRY_RUN_ERRORED.'),
    estimated_end_at: form.described(
      form.nullable(form.moment),
      'Null while no account comes to its end, or none waits.',
    ),
    counted_at: form.described(
      form.nullable(form.moment),
      'When the states were counted. Null before the first count.',
    ),
  }),
  Overview: form.objectOf({
    generated_at: form.moment,
    suppliers: form.described(
      form.listOf(form.ref('SupplierSummary')),
      'At most 200, by code; GET /suppliers has all of them.',
    ),
    submissions_in_progress: form.described(
      form.listOf(form.ref('SubmissionSummary')),
      'At most 50, the newest first.',
    ),
    health: form.ref('Health'),
  }),
};

const states = {
  ...{ PENDING: 9120, IN_PROGRESS: 64, DRY_RUN_SUCCEEDED: 0, DRY_RUN_ERRORED: 0, CANCELLED: 0 },
  ...{ PROCESSED: 10790, ERRORED: 13, STAGED: 0 },
};

export const supplierSummaryExample = {
  ...{ code: 'DEMO', organisation: 'Demo Energy', status: 'Ongoing', states, processed_per_second: 184.2 },
  sparkline: Array.from({ length: 60 }, (_, minute) => (minute < 59 ? 0 : 10790)),
  ...{ oldest_waiting_at: '2026-11-21T09:30:00.123456Z', errored: 13 },
  ...{ estimated_end_at: '2026-11-21T09:42:00.000Z', counted_at: '2026-11-21T09:41:02.001233Z' },
};

export const submissionSummaryExample = {
  ...{ id: '17', import_supplier: 'DEMO', reference: 'book-2026-11', status: 'RECEIVED' },
  ...{ created_at: '2026-11-21T09:30:00.123456Z', completed_at: '2026-11-21T09:41:10.000512Z' },
  finished_at: null,
};

export const healthExample = {
  database: { status: 'ok', detail: null },
  queues: { status: 'ok', detail: null },
  document_store: { status: 'ok', detail: null },
  vendors: [
    { name: 'STRIPE', breaker: 'closed', since: null },
    { name: 'GOCARDLESS', breaker: 'open', since: '2026-11-21T09:40:12.000Z' },
  ],
  workers: {
    alive: 1,
    seen: [{ id: '5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11', last_seen_at: '2026-11-21T09:41:05.120Z' }],
  },
};

export const overviewExample = {
  generated_at: '2026-11-21T09:41:11.120Z',
  suppliers: [supplierSummaryExample],
  submissions_in_progress: [submissionSummaryExample],
  health: healthExample,
};

/** Describes the overview. */
export const DescribeOverview = () =>
  OperatorOperation({
    ...{ tag: 'Overview', operationId: 'readOverview', summary: 'Read the overview', role: 'viewer' },
    description:
      'Every supplier with its counts, the submissions in progress and the health of what the service depends on. Counts are made each minute by a worker.',
    ...{ answer: 'Overview', answerDescription: 'The overview.', example: overviewExample },
  });

/** Describes the health. */
export const DescribeHealth = () =>
  OperatorOperation({
    ...{
      tag: 'Overview',
      operationId: 'readHealth',
      summary: 'Read the health of all components',
      role: 'viewer',
    },
    ...{ answer: 'Health', answerDescription: 'The health.', example: healthExample },
  });
