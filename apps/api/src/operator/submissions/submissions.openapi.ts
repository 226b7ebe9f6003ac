import { IMPORT_PROCESS_STATUSES, LINE_OUTCOMES, MEASURES, SUBMISSION_STATUSES } from '@portage/domain';
import { OperatorOperation, PAGE_QUERY, SUPPLIER_PARAM } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';
import { submissionSummaryExample } from '../overview/overview.openapi';

const COUNTS = [
  'received',
  'refused',
  'repeated',
  ...IMPORT_PROCESS_STATUSES.map((status) => status.toLowerCase()),
];

const measureValue: form.Schema = {
  type: ['integer', 'string'],
  description: 'A count, or decimal text for `opening_balance`.',
};

const summary: Readonly<Record<string, form.Schema>> = {
  id: form.text,
  import_supplier: form.text,
  reference: form.text,
  status: form.oneOf(SUBMISSION_STATUSES),
  created_at: form.moment,
  completed_at: form.nullable(form.moment),
  finished_at: form.nullable(form.moment),
};

const lineError = form.objectOf({ code: form.text, detail: form.text, attr: form.nullable(form.text) });

/** The reasons for which a rollback leaves an account. */
export const LEFT_REASONS = ['has_requests', 'welcome_email_sent', 'erased', 'missing'] as const;

export const submissionSchemas: Readonly<Record<string, form.Schema>> = {
  SubmissionSummary: form.objectOf(summary),
  SubmissionPage: form.pageOf('SubmissionSummary'),
  SubmissionCounts: {
    ...form.objectOf(Object.fromEntries(COUNTS.map((name) => [name, form.integer]))),
    description: '`received` is the sum of `refused` and all states.',
  },
  SubmissionDetail: form.objectOf({
    ...summary,
    counts: form.ref('SubmissionCounts'),
    processed_per_second: form.described(
      form.nullable(form.number),
      'Null while no account comes to its end.',
    ),
    estimated_end_at: form.nullable(form.moment),
    is_dry_run: form.flag,
    opened_by: form.text,
    expected: {
      type: 'object',
      additionalProperties: measureValue,
      description: 'The control totals that the supplier has stated.',
    },
  }),
  ReconciledMeasure: form.objectOf(
    {
      measure: form.oneOf(MEASURES),
      currency: form.text,
      expected: { type: ['integer', 'string', 'null'] },
      received: measureValue,
      imported: measureValue,
      refused_or_errored: measureValue,
      erased: measureValue,
      difference: measureValue,
    },
    ['currency'],
  ),
  Reconciliation: form.objectOf({
    id: form.text,
    import_supplier: form.text,
    reference: form.text,
    reconciled: form.flag,
    unfinished: form.integer,
    rehearsed: form.integer,
    erased: form.integer,
    measures: form.listOf(form.ref('ReconciledMeasure')),
  }),
  SubmissionResult: form.objectOf({
    upload: form.integer,
    line: form.integer,
    external_account_number: form.nullable(form.text),
    outcome: form.oneOf(LINE_OUTCOMES),
    platform_account_number: form.nullable(form.text),
    errors: form.listOf(lineError),
  }),
  AbortResult: form.objectOf({
    cancelled: form.described(form.integer, 'Accounts that this call has cancelled.'),
    remaining: form.described(form.flag, 'True if accounts are left that have not begun. Call again.'),
    submission: form.ref('SubmissionDetail'),
  }),
  AbortRequest: form.bodyOf({
    confirm: form.described(form.text, 'The id of the submission, as the operator typed it.'),
  }),
  RollbackRequest: form.bodyOf(
    {
      dry_run: form.described(form.flag, 'True: only finds out what would be deleted.'),
      confirm: form.described(
        form.text,
        'The id of the submission, as the operator typed it. Not needed for a dry run.',
      ),
      cursor: form.described(form.text, '`next_cursor` of the call before. Absent in the first call.'),
    },
    ['confirm', 'cursor'],
  ),
  RollbackResult: form.objectOf({
    dry_run: form.flag,
    total: form.described(
      form.integer,
      'Accounts that the rollback considers in all, at the time of this call.',
    ),
    considered: form.described(form.integer, 'Accounts that this call has considered.'),
    rolled_back: form.described(
      form.integer,
      'Accounts that this call has deleted, or with a dry run those that would be.',
    ),
    left: {
      type: 'object',
      additionalProperties: form.integer,
      description: `Accounts that this call has left alone, by reason: ${LEFT_REASONS.join(', ')}.`,
    },
    left_accounts: form.described(
      form.listOf(
        form.objectOf({
          external_account_number: form.text,
          account_number: form.text,
          reason: form.oneOf(LEFT_REASONS),
        }),
      ),
      'The accounts of `left`.',
    ),
    remaining: form.described(
      form.flag,
      'True if accounts were not considered yet. Call again with `next_cursor`.',
    ),
    next_cursor: form.nullable(form.text),
  }),
};

export const submissionDetailExample = {
  ...submissionSummaryExample,
  counts: {
    ...{ received: 20000, refused: 13, repeated: 64, pending: 9120, in_progress: 64, processed: 10790 },
    ...{ errored: 13, dry_run_succeeded: 0, dry_run_errored: 0, cancelled: 0 },
  },
  ...{ processed_per_second: 184.2, estimated_end_at: '2026-11-21T09:42:00.000Z' },
  ...{ is_dry_run: false, opened_by: 'api-key:pk_1f2e', expected: { accounts: 20000 } },
};

const resultExample = {
  ...{ upload: 1, line: 1, external_account_number: 'A-100231', outcome: 'processed' },
  ...{ platform_account_number: 'A-9c41e07b', errors: [] },
};

const submission = {
  tag: 'Submissions',
  params: { id: { description: 'The id of the submission', example: '17' } },
} as const;

/** Describes the submissions of a supplier. */
export const DescribeSubmissions = () =>
  OperatorOperation({
    ...{ tag: 'Submissions', operationId: 'listSupplierSubmissions', role: 'viewer' },
    ...{ summary: 'List the submissions of a supplier, the newest first', params: SUPPLIER_PARAM },
    query: PAGE_QUERY,
    ...{
      answer: 'SubmissionPage',
      answerDescription: 'A page of submissions.',
      errors: ['not_found', 'validation_error'],
    },
    example: { items: [submissionSummaryExample], next_cursor: null },
  });

/** Describes one submission. */
export const DescribeSubmission = () =>
  OperatorOperation({
    ...{ ...submission, operationId: 'readSubmissionDetail', summary: 'Read a submission', role: 'viewer' },
    ...{ answer: 'SubmissionDetail', answerDescription: 'The submission.', errors: ['not_found'] },
    example: submissionDetailExample,
  });

/** Describes the reconciliation. */
export const DescribeReconciliation = () =>
  OperatorOperation({
    ...{
      ...submission,
      operationId: 'readReconciliation',
      summary: 'Reconcile a submission',
      role: 'viewer',
    },
    description:
      'Compares what was expected, received and imported. Computed from the rows: it can take minutes for a large book. Concurrent requests share one computation.',
    ...{
      answer: 'Reconciliation',
      answerDescription: 'The reconciliation.',
      errors: ['not_found', 'throttled'],
    },
    example: {
      ...{ id: '17', import_supplier: 'DEMO', reference: 'book-2026-11', reconciled: true },
      ...{ unfinished: 0, rehearsed: 0, erased: 0 },
      measures: [
        {
          ...{ measure: 'accounts', expected: 20000, received: 20000, imported: 20000 },
          ...{ refused_or_errored: 0, erased: 0, difference: 0 },
        },
      ],
    },
  });

/** Describes the results. */
export const DescribeResults = () =>
  OperatorOperation({
    ...{
      ...submission,
      operationId: 'downloadResults',
      summary: 'Download the results of a submission',
      role: 'viewer',
    },
    description: 'One line for each account, in the order of arrival, and streamed.',
    query: {
      format: {
        description: 'Form of the file.',
        schema: { type: 'string', enum: ['csv', 'ndjson'], default: 'csv' },
      },
      outcome: {
        description: 'Only accounts with this outcome. May be repeated. By default all are listed.',
        isRepeatable: true,
        schema: form.oneOf(LINE_OUTCOMES),
      },
    },
    ...{ answer: form.text, answerDescription: 'The file.', mediaType: 'text/csv' },
    example:
      '"upload","line","external_account_number","outcome","platform_account_number","error_code","errors"\r\n',
    otherContent: {
      'application/x-ndjson': { schema: form.ref('SubmissionResult'), example: resultExample },
    },
    errors: ['not_found', 'validation_error'],
  });

/** Describes the abortion. */
export const DescribeAbort = () =>
  OperatorOperation({
    ...{
      ...submission,
      operationId: 'abortSubmissionAsOperator',
      summary: 'Abort a submission',
      role: 'operator',
    },
    description:
      'It takes no more accounts, and accounts that have not begun are cancelled, for up to 20 seconds in a call. While `remaining` is true, call again. Safe to repeat.',
    body: { schema: 'AbortRequest', examples: { abort: { confirm: '17' } } },
    ...{ answer: 'AbortResult', answerDescription: 'What this call has cancelled.' },
    example: {
      cancelled: 9120,
      remaining: false,
      submission: { ...submissionDetailExample, status: 'ABORTED' },
    },
    errors: ['not_found', 'validation_error', 'confirmation_required', 'operation_refused'],
  });

/** Describes the rollback. */
export const DescribeRollback = () =>
  OperatorOperation({
    ...{
      ...submission,
      operationId: 'rollBackSubmission',
      summary: 'Roll back a submission',
      role: 'operator',
    },
    description:
      'Deletes the accounts that it has created and that nothing has touched since, at most 2,000 in a call. While `remaining` is true, call again with `next_cursor`. Safe to repeat.',
    body: {
      schema: 'RollbackRequest',
      examples: { 'dry-run': { dry_run: true }, rollback: { dry_run: false, confirm: '17' } },
    },
    ...{ answer: 'RollbackResult', answerDescription: 'What this call has done.' },
    example: {
      ...{ dry_run: false, total: 10790, considered: 2000, rolled_back: 1999, left: { has_requests: 1 } },
      left_accounts: [
        { external_account_number: 'A-100231', account_number: 'A-9c41e07b', reason: 'has_requests' },
      ],
      ...{ remaining: true, next_cursor: '102230' },
    },
    errors: ['not_found', 'validation_error', 'confirmation_required', 'operation_refused'],
  });
