import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { LINE_OUTCOMES, MEASURES } from '@portage/domain';
import type { ReconciledMeasure } from '@portage/domain';
import { AcceptsQuery } from '../http/query-parameters';
import { errorResponse } from '../openapi/error-responses';
import { CSV, NDJSON } from './results-format';

const notFound = errorResponse(404, 'There is no such submission.', {
  code: 'not_found',
  detail: 'There is no such submission.',
});

const DescribeSubmission = () =>
  applyDecorators(
    ApiTags('Submissions'),
    ApiSecurity('token'),
    ApiParam({ name: 'id', description: 'The id of the submission', example: '17' }),
    ApiResponse(notFound),
  );

const error = {
  type: 'object',
  required: ['code', 'detail', 'attr'],
  properties: {
    code: { type: 'string', description: 'Machine-readable. It does not change.' },
    detail: { type: 'string', description: 'For people. The wording can change.' },
    attr: {
      type: ['string', 'null'],
      description: 'Dotted path of the field; null if the error is about the line or the account as a whole.',
    },
  },
};

const result = {
  type: 'object',
  required: ['upload', 'line', 'external_account_number', 'outcome', 'platform_account_number', 'errors'],
  properties: {
    upload: { type: 'integer', description: 'The number of the upload, counted from 1.' },
    line: { type: 'integer', description: 'The number of the line in its upload, counted from 1.' },
    external_account_number: { type: ['string', 'null'], description: 'Null if it could not be read.' },
    outcome: { type: 'string', enum: [...LINE_OUTCOMES] },
    platform_account_number: { type: ['string', 'null'], description: 'Set with the outcome `processed`.' },
    errors: { type: 'array', items: error },
  },
};

const processed = {
  ...{ upload: 1, line: 1, external_account_number: 'A-100231', outcome: 'processed' },
  ...{ platform_account_number: 'A-9c41e07b', errors: [] },
};
const csvExample = [
  '"upload","line","external_account_number","outcome","platform_account_number","error_code","errors"',
  '"1","1","A-100231","processed","A-9c41e07b","",""',
  '"1","2","A-100232","refused","","invalid_email","customers.0.email: Not an e-mail address. (invalid_email)"',
];

/** Describes the results of a submission. */
export const DescribeResults = () =>
  applyDecorators(
    DescribeSubmission(),
    ApiOperation({
      operationId: 'listSubmissionResults',
      summary: 'List what became of the accounts of a submission',
      description:
        'One line for each account, in the order of arrival, and streamed. NDJSON, or CSV with `Accept: text/csv`. The last line that was received for an account counts.',
    }),
    AcceptsQuery({
      outcome: {
        description:
          'Only accounts with this outcome. May be repeated or have commas. By default all are listed.',
        isRepeatable: true,
        schema: { type: 'string', enum: [...LINE_OUTCOMES] },
      },
    }),
    ApiOkResponse({
      description: 'The results: one JSON object a line, or CSV with a header.',
      content: {
        [NDJSON]: {
          schema: result,
          example: processed,
        },
        [CSV]: { schema: { type: 'string' }, example: `${csvExample.join('\r\n')}\r\n` },
      },
    }),
    ApiResponse(
      errorResponse(400, 'A query parameter is not valid.', {
        code: 'validation_error',
        detail: 'A query parameter is not valid.',
        errors: [
          {
            attr: 'outcome',
            code: 'invalid_choice',
            detail: `outcome must be one or more of ${LINE_OUTCOMES.join(', ')}.`,
          },
        ],
      }),
    ),
  );

const value = {
  type: ['integer', 'string'],
  description: 'A count, or for `opening_balance` decimal text with two decimals.',
};

const measure = {
  type: 'object',
  required: ['measure', 'expected', 'received', 'imported', 'refused_or_errored', 'erased', 'difference'],
  properties: {
    measure: { type: 'string', enum: [...MEASURES] },
    currency: { type: 'string', description: 'ISO 4217, with `opening_balance`.' },
    expected: { ...value, type: ['integer', 'string', 'null'], description: 'As stated when it was opened.' },
    received: { ...value, description: 'Of all lines, as they were sent.' },
    imported: { ...value, description: 'Of what the imports have written, as it is stored now.' },
    refused_or_errored: {
      ...value,
      description: 'Of lines that were refused, or whose import has ended in an error or was cancelled.',
    },
    erased: { ...value, description: 'Of accounts whose data was erased after their import.' },
    difference: {
      ...value,
      description:
        '`imported + erased - expected`; where nothing is expected, `imported + erased - (received - refused_or_errored)`.',
    },
  },
};

const reconciliation = {
  type: 'object',
  required: [
    ...['id', 'import_supplier', 'reference', 'unfinished', 'rehearsed', 'erased', 'reconciled', 'measures'],
  ],
  properties: {
    id: { type: 'string' },
    import_supplier: { type: 'string' },
    reference: { type: 'string' },
    unfinished: { type: 'integer', description: 'Accounts whose import has not ended.' },
    rehearsed: { type: 'integer', description: 'Accounts that were only rehearsed, and are not imported.' },
    erased: { type: 'integer', description: 'Accounts that were erased after their import.' },
    reconciled: {
      type: 'boolean',
      description:
        'True if every difference is zero, as much is imported as was received and not refused, and no account is unfinished.',
    },
    measures: { type: 'array', items: measure },
  },
};

const exampleOf = (name: string, values: Partial<ReconciledMeasure> = {}) => ({
  measure: name,
  ...(name === 'opening_balance' && { currency: 'GBP' }),
  ...{ expected: null, received: 0, imported: 0, refused_or_errored: 0, erased: 0, difference: 0 },
  ...values,
});

const example = {
  ...{ id: '17', import_supplier: 'DEMO', reference: '2026-11 wave 1' },
  ...{ unfinished: 0, rehearsed: 0, erased: 0, reconciled: false },
  measures: [
    exampleOf('accounts', {
      expected: 1000,
      received: 1000,
      imported: 998,
      refused_or_errored: 2,
      difference: -2,
    }),
    exampleOf('customers', { received: 1420, imported: 1417, refused_or_errored: 3 }),
    exampleOf('supply_points', { received: 1764, imported: 1760, refused_or_errored: 4 }),
    exampleOf('statements'),
    exampleOf('transactions', { received: 12000, imported: 11976, refused_or_errored: 24 }),
    exampleOf('opening_balance', {
      ...{ expected: '-18210.40', received: '-18210.40', imported: '-18150.15' },
      ...{ refused_or_errored: '-60.25', erased: '0.00', difference: '60.25' },
    }),
    exampleOf('payment_instructions', { received: 811, imported: 810, refused_or_errored: 1 }),
    exampleOf('debts'),
  ],
};

/** Describes the reconciliation of a submission. */
export const DescribeReconciliation = () =>
  applyDecorators(
    DescribeSubmission(),
    ApiOperation({
      operationId: 'reconcileSubmission',
      summary: 'Compare what was expected, received and imported',
      description:
        'Counted in the account tables when it is read, in one state of the database. A million accounts take some seconds.',
    }),
    ApiOkResponse({
      description: 'The reconciliation.',
      content: { 'application/json': { schema: reconciliation, example } },
    }),
  );
