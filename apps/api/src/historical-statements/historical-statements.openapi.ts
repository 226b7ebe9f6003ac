import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { DescribeAccountUpdate } from '../openapi/after-import';
import { errorResponse } from '../openapi/error-responses';
import { RESPONSE_HEADERS } from '../openapi/idempotency';

const STATEMENTS = { $ref: '#/components/schemas/StatementsRequest' } as never;

const exampleStatements = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  statements: [
    {
      statement_id: 'ST-2024-05',
      number: 'INV-2024-05-100231',
      bill_period_from_date: '2024-05-01',
      bill_period_to_date: '2024-05-31',
      issued_date: '2024-06-03',
      gross_amount: 11261,
      statement_path: 'A-100231/2024-05.pdf',
    },
  ],
};

/** Describes the addition of historical statements (contract 4.4). */
export const DescribeCreateHistoricalStatements = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createHistoricalStatements',
      summary: 'Add historical statements to an imported account',
      description:
        'Adds all of them, or none. Safe to repeat: a statement that the account already has is left unchanged. With other content under its `statement_id` it fails the request.',
    }),
    DescribeAccountUpdate(),
    ApiBody({
      description: 'The account and its statements.',
      required: true,
      schema: STATEMENTS,
      examples: { statements: { value: exampleStatements } },
    }),
    ApiOkResponse({
      description: 'The account had all statements already. The validated statements.',
      headers: RESPONSE_HEADERS,
      content: { 'application/json': { schema: STATEMENTS, example: exampleStatements } },
    }),
    ApiCreatedResponse({
      description: 'The validated statements.',
      headers: RESPONSE_HEADERS,
      content: { 'application/json': { schema: STATEMENTS, example: exampleStatements } },
    }),
    ApiResponse(
      errorResponse(
        400,
        'Nothing was added: the request is not valid, or the migration of its supplier is not ongoing.',
        {
          code: 'validation_error',
          detail: 'The body is not valid: 1 error.',
          errors: [
            {
              detail: 'The account has a statement with this statement_id and other values of number.',
              code: 'historical_statement_already_exists',
              attr: 'statements.0.statement_id',
            },
          ],
        },
      ),
    ),
  );
