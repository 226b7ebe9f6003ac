import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { AcceptsQuery } from '../http/query-parameters';
import { DescribeAccountUpdate } from '../openapi/after-import';
import { errorResponse } from '../openapi/error-responses';
import { RESPONSE_HEADERS } from '../openapi/idempotency';
import { exampleImportError, exampleResults, exampleTransactions } from './transactions.examples';

const FLAG = { type: 'boolean', default: true };

const RESULTS = {
  type: 'object',
  required: ['results'],
  properties: {
    dry_run: {
      type: 'boolean',
      enum: [true],
      description:
        'Present if the request asked for a dry run: everything was checked, and nothing was added.',
    },
    results: {
      type: 'array',
      description: 'One result for each transaction, in the order of the request.',
      items: {
        type: 'object',
        required: ['status', 'transaction_data'],
        properties: {
          status: { type: 'string', enum: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'] },
          transaction_data: {
            type: 'object',
            description:
              'The submitted transaction, with `amount` as text with two decimals. With TRANSACTION_ALREADY_EXISTS its `status` is TRANSACTION_IMPORT_SUCCESS. With `differences` it is the stored transaction.',
          },
          differences: {
            type: 'array',
            items: { type: 'string' },
            description:
              'With TRANSACTION_ALREADY_EXISTS: the fields in which the submitted transaction differs from the one that the account has under this `transaction_id`. The account is unchanged.',
          },
          moved_from: {
            type: 'string',
            format: 'date',
            description: 'The submitted date of a transaction that was moved into the open statement period.',
          },
          moved_to: { type: 'string', format: 'date', description: 'The date to which it was moved.' },
        },
      },
    },
  },
};

/** Describes the addition of transactions (contract 4.3). */
export const DescribeCreateTransactions = () =>
  applyDecorators(
    DescribeAccountUpdate(),
    ApiOperation({
      operationId: 'createTransactions',
      summary: 'Add transactions to an imported account',
      description:
        'Adds all of them to the open statement period, or none. Safe to repeat: a transaction that the account already has is not added again. With `check_previously_added=false`, use an `Idempotency-Key` to repeat a request safely.',
    }),
    AcceptsQuery({
      check_previously_added: {
        description: 'Skip transactions that the account already has.',
        schema: FLAG,
      },
      force_add_to_current_statement: {
        description:
          'Move a transaction outside the open statement period to the nearer edge of the period. If false, such a transaction fails the request.',
        schema: FLAG,
      },
    }),
    ApiBody({
      description: 'The account and its transactions.',
      required: true,
      schema: { $ref: '#/components/schemas/TransactionsRequest' } as never,
      examples: { transactions: { value: exampleTransactions } },
    }),
    ApiCreatedResponse({
      description: 'The result of each transaction.',
      headers: RESPONSE_HEADERS,
      content: { 'application/json': { schema: RESULTS, example: exampleResults } },
    }),
    ApiResponse(
      errorResponse(
        400,
        'Nothing was added. If a transaction is the reason, the error is about the first such one.',
        {
          transaction: exampleImportError,
          request: {
            code: 'validation_error',
            detail: 'The body is not valid: 1 error.',
            errors: [
              { detail: 'This field is required.', code: 'required', attr: 'external_account_number' },
            ],
          },
        },
        { schemas: ['Error', 'TransactionImportError'] },
      ),
    ),
    ApiResponse(
      errorResponse(500, 'Nothing was added because of an internal error.', {
        code: 'error',
        detail: 'Nothing was added, for a reason on our side that the operator can see in the log.',
      }),
    ),
  );
