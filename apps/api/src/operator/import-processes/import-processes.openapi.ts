import { IMPORT_PROCESS_EVENTS, IMPORT_PROCESS_STATUSES, STEERING_EVENTS } from '@portage/domain';
import { OperatorOperation, PAGE_QUERY, PROCESS_PARAMS, SUPPLIER_PARAM } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

/** The most processes that one call of process-actions considers, and a preview counts. */
export const MAX_ACTION_PROCESSES = 10_000;
/** The most account numbers of a selection. */
export const MAX_SELECTED_NUMBERS = 1_000;

const summary: Readonly<Record<string, form.Schema>> = {
  id: form.text,
  external_account_number: form.text,
  status: form.oneOf(IMPORT_PROCESS_STATUSES),
  error_code: form.nullable(form.text),
  account_number: form.described(form.nullable(form.text), "The platform's number of the created account."),
  submission_id: form.nullable(form.text),
  version: form.integer,
  received_at: form.described(form.moment, 'When the account was received for the first time.'),
  updated_at: form.moment,
};

export const importProcessSchemas: Readonly<Record<string, form.Schema>> = {
  ProcessSummary: form.objectOf(summary),
  ProcessPage: {
    ...form.pageOf('ProcessSummary'),
    description:
      'A page can have fewer items than `limit`, or none, although `next_cursor` is set: one request examines at most 10,000 processes. Read on with the cursor until it is null.',
  },
  TimelineEntry: form.objectOf({
    event: form.oneOf(IMPORT_PROCESS_EVENTS),
    version: form.integer,
    attempt: form.integer,
    at: form.moment,
    actor: form.described(
      form.nullable(form.text),
      'Who caused it: `api-key:<prefix>` or `operator:<name>`; null for workers.',
    ),
    duration_ms: form.described(
      form.nullable(form.number),
      'Time since the entry before; null for the first one.',
    ),
    error_code: form.nullable(form.text),
  }),
  ProcessError: form.objectOf({
    code: form.text,
    detail: form.described(form.text, 'What it quotes of the account is masked.'),
    path: form.described(
      form.nullable(form.text),
      'Dotted path of the field in the payload, if the error names one.',
    ),
    value_masked: form.described(
      form.nullable(form.text),
      'The form of the value at the path: letters as x, digits as 9, its kind and length. Null without a path or a payload.',
    ),
  }),
  CreatedAccount: form.objectOf({
    account_number: form.text,
    created_at: form.nullable(form.moment),
    customers: form.integer,
    agreements: form.integer,
    supply_points: form.integer,
    ledgers: form.integer,
    transactions: form.integer,
    statements: form.integer,
    notes: form.integer,
    payment_instructions: form.integer,
    documents: form.integer,
    erased_at: form.described(form.nullable(form.moment), 'When its personal data was erased.'),
  }),
  FollowUp: form.objectOf({
    kind: form.oneOf(['documents', 'welcome_email']),
    state: form.oneOf(['waiting', 'done', 'failed']),
    attempts: form.nullable(form.integer),
    updated_at: form.nullable(form.moment),
    detail: form.nullable(form.text),
  }),
  AccountRequestSummary: form.objectOf({
    kind: form.text,
    status: form.oneOf(['waiting', 'answered', 'unanswered']),
    at: form.moment,
    actor: form.nullable(form.text),
  }),
  ProcessLinks: form.objectOf({
    job: form.described(
      form.nullable(form.text),
      'Its job in Bull Board, on this host. Null once no job can be there.',
    ),
    trace: form.described(
      form.nullable(form.text),
      'Its trace, if TRACE_URL_TEMPLATE is set and a trace is known.',
    ),
  }),
  ProcessDetail: form.objectOf({
    ...summary,
    import_supplier: form.text,
    external_identifier: form.nullable(form.text),
    attempt: form.integer,
    is_dry_run: form.flag,
    is_released: form.flag,
    schedule_window_start: form.nullable(form.moment),
    schedule_window_end: form.nullable(form.moment),
    has_payload: form.described(form.flag, 'False once the payload was erased.'),
    timeline: form.described(
      form.listOf(form.ref('TimelineEntry')),
      'The last 200 events, the oldest first.',
    ),
    error: form.nullable(form.ref('ProcessError')),
    created: form.nullable(form.ref('CreatedAccount')),
    follow_ups: form.listOf(form.ref('FollowUp')),
    requests: form.described(
      form.listOf(form.ref('AccountRequestSummary')),
      'The last 50 requests after the import, the newest first.',
    ),
    links: form.ref('ProcessLinks'),
  }),
  Payload: form.objectOf({ payload: { description: 'The account, as the supplier sent it.' } }),
  ProcessSelection: form.bodyOf(
    {
      status: form.oneOf(IMPORT_PROCESS_STATUSES),
      error_code: form.text,
      submission: form.described(form.text, 'The id of a submission of the supplier.'),
      first: form.described(
        { ...form.integer, minimum: 1, maximum: 999_999_999 },
        'Only so many, in the order of their creation (a canary).',
      ),
      external_account_numbers: {
        ...form.listOf(form.text),
        minItems: 1,
        maxItems: MAX_SELECTED_NUMBERS,
        description: 'Only these accounts. Excludes `first` and `submission`.',
      },
    },
    ['status', 'error_code', 'submission', 'first', 'external_account_numbers'],
  ),
  ProcessActionPreviewRequest: form.bodyOf({
    action: form.oneOf(Object.keys(STEERING_EVENTS)),
    selection: form.ref('ProcessSelection'),
  }),
  ProcessActionPreview: form.objectOf({
    action: form.oneOf(Object.keys(STEERING_EVENTS)),
    count: form.described(form.integer, 'Processes in a state that the action can change.'),
    is_capped: form.described(
      form.flag,
      `True if the action would change more than \`count\`: at most ${MAX_ACTION_PROCESSES} are counted.`,
    ),
    token: form.described(
      form.text,
      'Names supplier, action and selection. The action refuses a token of another preview.',
    ),
  }),
  EraseProcessRequest: form.bodyOf({
    confirm: form.described(form.text, 'The external account number, as the operator typed it.'),
  }),
  ErasedProcess: form.objectOf({ external_account_number: form.text, was_erased_before: form.flag }),
  ProcessActionRequest: form.bodyOf(
    {
      action: form.oneOf(Object.keys(STEERING_EVENTS)),
      selection: form.ref('ProcessSelection'),
      supplier_code_typed: form.described(form.text, 'The supplier code, as the operator typed it.'),
      token: form.described(form.text, 'The token of the preview.'),
      cursor: form.described(form.text, '`next_cursor` of the call before. Absent in the first call.'),
    },
    ['token', 'cursor'],
  ),
  ProcessActionResult: form.objectOf({
    action: form.oneOf(Object.keys(STEERING_EVENTS)),
    changed: form.described(form.integer, 'Processes that this call has changed.'),
    skipped: {
      type: 'object',
      additionalProperties: form.integer,
      description: 'Processes that this call has skipped, by reason: a state, or what excludes them.',
    },
    without_job: form.described(
      form.integer,
      'Changed processes whose job the queue did not accept. A worker adds it within a minute.',
    ),
    remaining: form.described(
      form.flag,
      'True if selected processes were not considered yet. Call again with `next_cursor`.',
    ),
    next_cursor: form.nullable(form.text),
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
      status: { description: 'Only processes in this status.', schema: form.oneOf(IMPORT_PROCESS_STATUSES) },
      error_code: { description: 'Only processes that ended with this error code.', schema: form.text },
      text: {
        description: 'Only processes whose external account number or account number begins with this text.',
        schema: { type: 'string', minLength: 1, maxLength: 128 },
      },
      submission: { description: 'Only processes of this submission, by its id.', schema: form.text },
      from: { description: 'Only accounts that were received at or after this moment.', schema: form.moment },
      to: { description: 'Only accounts that were received before this moment.', schema: form.moment },
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
    ...{ answer: form.text, answerDescription: 'The file.', mediaType: 'text/csv', errors: ['not_found'] },
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
