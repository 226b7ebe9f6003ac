import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { BodyErrors, CommonErrors, errorResponse } from '../openapi/error-responses';
import { exampleAccount, exampleProcess } from '../openapi/examples';
import { ANSWER_HEADERS, IdempotencyKeyHeader } from '../openapi/idempotency';

const Accounts = () => applyDecorators(ApiTags('Accounts'), ApiSecurity('token'));

const AccountBody = () =>
  ApiBody({
    description: 'The account itself, or `{ payload, task_params }`.',
    required: true,
    schema: {
      anyOf: [{ $ref: '#/components/schemas/Account' }, { $ref: '#/components/schemas/WrappedAccount' }],
      example: exampleAccount,
    },
  });

const IGNORED_FIELDS = {
  'Ignored-Fields': {
    description:
      'Paths of undocumented fields, comma-separated and percent-encoded. They are kept without effect.',
    schema: { type: 'string' },
  },
} as never;

export const DescribeValidate = () =>
  applyDecorators(
    Accounts(),
    ApiOperation({
      operationId: 'validateAccount',
      summary: 'Validate account data',
      description: 'Checks an account by all rules and stores nothing. Every error is reported at once.',
    }),
    AccountBody(),
    ApiOkResponse({ description: 'The account is valid.', headers: IGNORED_FIELDS, schema: { example: {} } }),
    ApiResponse(
      errorResponse(400, 'The account is not valid.', {
        code: 'account_failed_validation',
        detail: 'The account data is not valid: 1 error.',
        errors: [
          {
            detail: '"01234" is not a valid phone number for GB.',
            code: 'invalid_phone_number',
            attr: 'customers.0.landline',
          },
        ],
      }),
    ),
    BodyErrors(),
    CommonErrors(),
  );

export const DescribeSchedule = () =>
  applyDecorators(
    Accounts(),
    ApiOperation({
      operationId: 'scheduleAccount',
      summary: 'Schedule the creation of an account',
      description:
        'Stores the account and creates it in the background. Safe to repeat: the same account while its creation is under way changes nothing.',
    }),
    IdempotencyKeyHeader(),
    AccountBody(),
    ApiCreatedResponse({
      description: 'The creation is scheduled, and will happen.',
      headers: ANSWER_HEADERS,
      schema: { example: {} },
    }),
    ApiResponse(
      errorResponse(400, 'The account is not valid, is imported already, or its supplier takes none.', {
        code: 'import_process_failed_validation',
        detail:
          'The account data is not valid. Post it to /v2/data-import/accounts/validate/ to see every error.',
        domain: 'import_process',
      }),
    ),
    BodyErrors(),
    CommonErrors(),
  );

export const DescribeStatus = () =>
  applyDecorators(
    Accounts(),
    ApiOperation({ operationId: 'readAccountImport', summary: 'Status of one account import' }),
    ApiParam({ name: 'supplier', description: 'Import supplier code', example: 'DEMO' }),
    ApiParam({
      name: 'identifier',
      description: 'External identifier, percent-encoded',
      example: 'A-100231',
    }),
    ApiOkResponse({
      description: 'Where the import stands.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ImportProcess' },
          example: exampleProcess,
        },
      },
    }),
    ApiResponse(
      errorResponse(404, 'There is no such import process.', {
        code: 'not_found',
        detail: 'There is no import process with this external identifier.',
      }),
    ),
    CommonErrors(),
  );
