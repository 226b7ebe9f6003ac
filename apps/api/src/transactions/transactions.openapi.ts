import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { AfterTheImport } from '../openapi/after-import';
import { errorResponse } from '../openapi/error-responses';
import { ANSWER_HEADERS } from '../openapi/idempotency';
import { exampleImportError, exampleResults, exampleTransactions } from './transactions.examples';

const Flag = (name: string, description: string) =>
  ApiQuery({ name, required: false, description, schema: { type: 'boolean', default: true } });

const RESULTS = {
  type: 'object',
  required: ['results'],
  properties: {
    results: {
      type: 'array',
      description: 'One for each transaction, in the order of the request.',
      items: {
        type: 'object',
        required: ['status', 'transaction_data'],
        properties: {
          status: { type: 'string', enum: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'] },
          transaction_data: {
            type: 'object',
            description:
              'What was submitted, `amount` as text with two decimals. With TRANSACTION_ALREADY_EXISTS its `status` is TRANSACTION_IMPORT_SUCCESS.',
          },
        },
      },
    },
  },
};

export const DescribeCreateTransactions = () =>
  applyDecorators(
    AfterTheImport(),
    ApiOperation({
      operationId: 'createTransactions',
      summary: 'Add transactions to an imported account',
      description:
        'Adds all of them to the open statement period, or none. Safe to repeat: what the account has is not added again unless `check_previously_added` is false, and then an `Idempotency-Key` makes it safe.',
    }),
    Flag('check_previously_added', 'Whether transactions that the account has are left alone.'),
    Flag(
      'force_add_to_current_statement',
      'Whether a transaction outside the open statement period is moved to its nearer end; otherwise it fails the request.',
    ),
    ApiBody({
      description: 'The account and its transactions.',
      required: true,
      schema: { $ref: '#/components/schemas/TransactionsRequest' } as never,
      examples: { transactions: { value: exampleTransactions } },
    }),
    ApiCreatedResponse({
      description: 'What became of each transaction.',
      headers: ANSWER_HEADERS,
      content: { 'application/json': { schema: RESULTS, example: exampleResults } },
    }),
    ApiResponse(
      errorResponse(
        400,
        'Nothing was added. Where one transaction is the reason, it is the first such one.',
        exampleImportError,
      ),
    ),
    ApiResponse(
      errorResponse(500, 'Nothing was added, for a reason on our side.', {
        code: 'error',
        detail: 'Nothing was added, for a reason on our side that the operator can see in the log.',
      }),
    ),
  );
