import { IMPORT_PROCESS_EVENTS, IMPORT_PROCESS_STATUSES, STEERING_EVENTS } from '@portage/domain';
import { OperatorOperation, PAGE_QUERY, PROCESS_PARAMS, SUPPLIER_PARAM } from '../openapi/describe-operation';
import {
  bodyOf,
  described,
  flag,
  integer,
  listOf,
  moment,
  nullable,
  number,
  objectOf,
  oneOf,
  pageOf,
  ref,
  type Schema,
  text,
} from '../openapi/schema-forms';

/** The most processes that one call of process-actions considers. */
export const MAX_ACTION_PROCESSES = 10_000;
/** The most processes that a preview counts. */
export const MAX_PREVIEW_COUNT = 100_000;
/** The most account numbers of a selection. */
export const MAX_SELECTED_NUMBERS = 1_000;

const summary: Readonly<Record<string, Schema>> = {
  id: text,
  external_account_number: text,
  status: oneOf(IMPORT_PROCESS_STATUSES),
  error_code: nullable(text),
  account_number: described(nullable(text), "The platform's number of the created account."),
  submission_id: nullable(text),
  version: integer,
  received_at: described(moment, 'When the account was received for the first time.'),
  updated_at: moment,
};

export const importProcessSchemas: Readonly<Record<string, Schema>> = {
  ProcessSummary: objectOf(summary),
  ProcessPage: {
    ...pageOf('ProcessSummary'),
    description:
      'A page can have fewer items than `limit`, or none, although `next_cursor` is set: one request examines at most 10,000 processes. Read on with the cursor until it is null.',
  },
  TimelineEntry: objectOf({
    event: oneOf(IMPORT_PROCESS_EVENTS),
    version: integer,
    attempt: integer,
    at: moment,
    actor: described(
      nullable(text),
      'Who caused it: `api-key:<prefix>` or `operator:<name>`; null for workers.',
    ),
    duration_ms: described(nullable(number), 'Time since the entry before; null for the first one.'),
    error_code: nullable(text),
  }),
  ProcessError: objectOf({
    code: text,
    detail: described(text, 'What it quotes of the account is masked.'),
    path: described(nullable(text), 'Dotted path of the field in the payload, if the error names one.'),
    value_masked: described(
      nullable(text),
      'The form of the value at the path: letters as x, digits as 9, its kind and length. Null without a path or a payload.',
    ),
  }),
  CreatedAccount: objectOf({
    account_number: text,
    created_at: nullable(moment),
    customers: integer,
    agreements: integer,
    supply_points: integer,
    ledgers: integer,
    transactions: integer,
    statements: integer,
    notes: integer,
    payment_instructions: integer,
    documents: integer,
    erased_at: described(nullable(moment), 'When its personal data was erased.'),
  }),
  FollowUp: objectOf({
    kind: oneOf(['documents', 'welcome_email']),
    state: oneOf(['waiting', 'done', 'failed']),
    attempts: nullable(integer),
    updated_at: nullable(moment),
    detail: nullable(text),
  }),
  AccountRequestSummary: objectOf({
    kind: text,
    status: oneOf(['waiting', 'answered', 'unanswered']),
    at: moment,
    actor: nullable(text),
  }),
  ProcessLinks: objectOf({
    job: described(nullable(text), 'Its job in Bull Board, on this host. Null once no job can be there.'),
    trace: described(nullable(text), 'Its trace, if TRACE_URL_TEMPLATE is set and a trace is known.'),
  }),
  ProcessDetail: objectOf({
    ...summary,
    import_supplier: text,
    external_identifier: nullable(text),
    attempt: integer,
    is_dry_run: flag,
    is_released: flag,
    schedule_window_start: nullable(moment),
    schedule_window_end: nullable(moment),
    has_payload: described(flag, 'False once the payload was erased.'),
    timeline: described(listOf(ref('TimelineEntry')), 'The last 200 events, the oldest first.'),
    error: nullable(ref('ProcessError')),
    created: nullable(ref('CreatedAccount')),
    follow_ups: listOf(ref('FollowUp')),
    requests: described(
      listOf(ref('AccountRequestSummary')),
      'The last 50 requests after the import, the newest first.',
    ),
    links: ref('ProcessLinks'),
  }),
  Payload: objectOf({ payload: { description: 'The account, as the supplier sent it.' } }),
  ProcessSelection: bodyOf(
    {
      status: oneOf(IMPORT_PROCESS_STATUSES),
      error_code: text,
      submission: described(text, 'The id of a submission of the supplier.'),
      first: described(
        { ...integer, minimum: 1, maximum: 999_999_999 },
        'Only so many, in the order of their creation (a canary).',
      ),
      external_account_numbers: {
        ...listOf(text),
        minItems: 1,
        maxItems: MAX_SELECTED_NUMBERS,
        description: 'Only these accounts. Excludes `first` and `submission`.',
      },
    },
    ['status', 'error_code', 'submission', 'first', 'external_account_numbers'],
  ),
  ProcessActionPreviewRequest: bodyOf({
    action: oneOf(Object.keys(STEERING_EVENTS)),
    selection: ref('ProcessSelection'),
  }),
  ProcessActionPreview: objectOf({
    action: oneOf(Object.keys(STEERING_EVENTS)),
    count: described(integer, 'Processes in a state that the action can change.'),
    is_capped: described(flag, `True if there are more: the count stops at ${MAX_PREVIEW_COUNT}.`),
    token: described(
      text,
      'Names supplier, action and selection. The action refuses a token of another preview.',
    ),
  }),
  EraseProcessRequest: bodyOf({
    confirm: described(text, 'The external account number, as the operator typed it.'),
  }),
  ErasedProcess: objectOf({ external_account_number: text, was_erased_before: flag }),
  ProcessActionRequest: bodyOf(
    {
      action: oneOf(Object.keys(STEERING_EVENTS)),
      selection: ref('ProcessSelection'),
      supplier_code_typed: described(text, 'The supplier code, as the operator typed it.'),
      token: described(text, 'The token of the preview.'),
      cursor: described(text, '`next_cursor` of the call before. Absent in the first call.'),
    },
    ['token', 'cursor'],
  ),
  ProcessActionResult: objectOf({
    action: oneOf(Object.keys(STEERING_EVENTS)),
    changed: described(integer, 'Processes that this call has changed.'),
    skipped: {
      type: 'object',
      additionalProperties: integer,
      description: 'Processes that this call has skipped, by reason: a state, or what excludes them.',
    },
    without_job: described(
      integer,
      'Changed processes whose job the queue did not accept. A worker adds it within a minute.',
    ),
    remaining: described(
      flag,
      'True if selected processes were not considered yet. Call again with `next_cursor`.',
    ),
    next_cursor: nullable(text),
  }),
};

const summaryExample = {
  ...{ id: '100231', external_account_number: 'A-100231', status: 'ERRORED' },
  ...{
    error_code: 'import_process_failed_validation',
    account_number: null,
    submission_id: '17',
    version: 1,
  },
  ...{ received_at: '2026-11-21T09:30:00.123456Z', updated_at: '2026-11-21T09:30:00.935871Z' },
};

const detailExample = {
  ...summaryExample,
  ...{ import_supplier: 'DEMO', external_identifier: 'A-100231', attempt: 1, is_dry_run: false },
  ...{ is_released: false, schedule_window_start: null, schedule_window_end: null, has_payload: true },
  timeline: [
    {
      ...{ event: 'SCHEDULED', version: 1, attempt: 0, at: '2026-11-21T09:30:00.123456Z' },
      ...{ actor: 'api-key:pk_1f2e', duration_ms: null, error_code: null },
    },
    {
      ...{ event: 'ERRORED', version: 1, attempt: 1, at: '2026-11-21T09:30:00.935871Z' },
      ...{ actor: null, duration_ms: 812.415, error_code: 'import_process_failed_validation' },
    },
  ],
  error: {
    ...{ code: 'import_process_failed_validation', detail: 'customers.0.email: Not an e-mail address.' },
    ...{ path: 'customers.0.email', value_masked: 'xxxxx.xxxxxx (text, 12 characters)' },
  },
  created: null,
  follow_ups: [],
  requests: [],
  links: { job: '/queues/queue/account-imports/100231-1', trace: null },
};

const process = { tag: 'Import processes' } as const;

/** Describes the list of processes. */
export const DescribeProcesses = () =>
  OperatorOperation({
    ...{
      ...process,
      operationId: 'listProcesses',
      summary: 'List the import processes of a supplier',
      role: 'viewer',
    },
    description:
      'The newest first; with `text` by identifier. Nothing is counted. A process is at most once in the pages of one list, also while processes change; one that changes can enter or leave a filtered list.',
    params: SUPPLIER_PARAM,
    query: {
      status: { description: 'Only processes in this status.', schema: oneOf(IMPORT_PROCESS_STATUSES) },
      error_code: { description: 'Only processes that ended with this error code.', schema: text },
      text: {
        description: 'Only processes whose external account number or account number begins with this text.',
        schema: { type: 'string', minLength: 1, maxLength: 128 },
      },
      submission: { description: 'Only processes of this submission, by its id.', schema: text },
      from: { description: 'Only accounts that were received at or after this moment.', schema: moment },
      to: { description: 'Only accounts that were received before this moment.', schema: moment },
      ...PAGE_QUERY,
    },
    ...{
      answer: 'ProcessPage',
      answerDescription: 'A page of processes.',
      errors: ['not_found', 'validation_error'],
    },
    example: { items: [summaryExample], next_cursor: 'eyJpIjoiMTAwMjMxIn0' },
  });

/** Describes one process. */
export const DescribeProcess = () =>
  OperatorOperation({
    ...{ ...process, operationId: 'readProcess', summary: 'Read an import process', role: 'viewer' },
    description: 'Everything about the account except its personal data.',
    params: PROCESS_PARAMS,
    ...{
      answer: 'ProcessDetail',
      answerDescription: 'The process.',
      example: detailExample,
      errors: ['not_found'],
    },
  });

/** Describes the reading of a payload. */
export const DescribePayload = () =>
  OperatorOperation({
    ...{
      ...process,
      operationId: 'readPayload',
      summary: 'Read the payload of an account',
      role: 'operator',
    },
    description: 'Personal data. Each call writes the audit entry `process.read-payload` before it answers.',
    params: PROCESS_PARAMS,
    ...{ answer: 'Payload', answerDescription: 'The payload.', errors: ['not_found'] },
    example: { payload: { import_supplier: 'DEMO', external_account_number: 'A-100231' } },
  });

/** Describes the erasure of a process. */
export const DescribeEraseProcess = () =>
  OperatorOperation({
    ...{ ...process, operationId: 'eraseProcess', role: 'admin', params: PROCESS_PARAMS },
    summary: 'Erase the personal data of a process that has ended without an account',
    description: 'It cannot be undone. The account can be sent again. Safe to repeat.',
    body: { schema: 'EraseProcessRequest', examples: { erase: { confirm: 'A-100231' } } },
    ...{ answer: 'ErasedProcess', answerDescription: 'The process is erased.' },
    example: { external_account_number: 'A-100231', was_erased_before: false },
    errors: ['not_found', 'validation_error', 'confirmation_required', 'operation_refused'],
  });

/** Describes the download of accounts with an error. */
export const DescribeFailedAccounts = () =>
  OperatorOperation({
    ...{ ...process, operationId: 'downloadFailedAccounts', role: 'viewer', params: SUPPLIER_PARAM },
    summary: 'Download the accounts that ended with an error',
    description: 'One line for each account, in the order of creation, and streamed. Details are masked.',
    ...{ answer: text, answerDescription: 'The file.', mediaType: 'text/csv', errors: ['not_found'] },
    example: '"external_account_number","status","error_code","error_detail","modified_at"\r\n',
  });

const selection = { status: 'ERRORED', error_code: 'error' };

/** Describes the preview of an action. */
export const DescribePreview = () =>
  OperatorOperation({
    ...{
      ...process,
      operationId: 'previewProcessAction',
      summary: 'Preview an action on processes',
      role: 'operator',
    },
    description: 'How many processes the action would change. Changes nothing.',
    params: SUPPLIER_PARAM,
    body: { schema: 'ProcessActionPreviewRequest', examples: { retry: { action: 'retry', selection } } },
    ...{ answer: 'ProcessActionPreview', answerDescription: 'The preview.' },
    example: { action: 'retry', count: 13, is_capped: false, token: 'kqVbJm2m1mJwq0o2gGc5Tg' },
    errors: ['not_found', 'validation_error', 'operation_refused'],
  });

/** Describes an action. */
export const DescribeAction = () =>
  OperatorOperation({
    ...{
      ...process,
      operationId: 'changeProcesses',
      summary: 'Release, retry or cancel processes',
      role: 'operator',
    },
    description: `Each call considers at most ${MAX_ACTION_PROCESSES} processes and writes one audit entry. While \`remaining\` is true, call again with \`next_cursor\`. Safe to repeat: a process that was changed is skipped.`,
    params: SUPPLIER_PARAM,
    status: 202,
    body: {
      schema: 'ProcessActionRequest',
      examples: { retry: { action: 'retry', selection, supplier_code_typed: 'DEMO' } },
    },
    ...{ answer: 'ProcessActionResult', answerDescription: 'What this call has changed.' },
    example: {
      action: 'retry',
      changed: 13,
      skipped: {},
      without_job: 0,
      remaining: false,
      next_cursor: null,
    },
    errors: ['not_found', 'validation_error', 'operation_refused', 'confirmation_required'],
  });
