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
import { errorResponse } from '../openapi/error-responses';
import { accountExamples, exampleAccount, exampleProcess } from '../openapi/examples';
import { IGNORED_FIELDS, RESPONSE_HEADERS, IdempotencyKeyHeader } from '../openapi/idempotency';
import { PAYLOAD_DIGEST } from '../openapi/payload-digest';

const DescribeAccounts = () => applyDecorators(ApiTags('Accounts'), ApiSecurity('token'));

const DescribeAccountBody = () =>
  ApiBody({
    description: 'The account itself, or `{ payload, task_params }`.',
    required: true,
    schema: {
      anyOf: [{ $ref: '#/components/schemas/Account' }, { $ref: '#/components/schemas/WrappedAccount' }],
    },
    examples: {
      ...accountExamples,
      'with options': {
        summary: 'An account with options: a dry run',
        value: { payload: exampleAccount, task_params: { is_dry_run: true } },
      },
    },
  });

/** The error for an account that has been imported (contract 4.7). */
const importedAccount = {
  non_field_errors: {
    detail: 'This account has been imported already.',
    code: 'account_import_process_already_imported',
  },
  account_id: 'A-9c41e07b',
};

/** The body of a success without data (contract 4.6 and 4.7). */
const NOTHING = {
  'application/json': {
    schema: { $ref: '#/components/schemas/EmptyObject' },
    example: {},
  },
};

const DescribeProcessPath = () =>
  applyDecorators(
    ApiParam({ name: 'supplier', description: 'Import supplier code', example: 'DEMO' }),
    ApiParam({
      name: 'identifier',
      description: 'External identifier, percent-encoded',
      example: 'A-100231',
    }),
  );

const DescribeUnknownProcess = () =>
  ApiResponse(
    errorResponse(404, 'There is no such import process.', {
      code: 'not_found',
      detail: 'There is no import process with this external identifier.',
    }),
  );

/** Describes the validation of an account (contract 4.6). */
export const DescribeValidate = () =>
  applyDecorators(
    DescribeAccounts(),
    ApiOperation({
      operationId: 'validateAccount',
      summary: 'Validate account data',
      description:
        'Finds everything for which scheduling would refuse the account, and stores nothing. The response has all errors, up to a limit that the operator sets; beyond it `error_count` has their number, and the last one is `too_many_errors`.',
    }),
    DescribeAccountBody(),
    ApiOkResponse({
      description: 'The account is valid.',
      headers: IGNORED_FIELDS,
      content: NOTHING,
    }),
    ApiResponse(
      errorResponse(
        400,
        'The account is not valid.',
        {
          code: 'account_failed_validation',
          detail: 'The account data is not valid: 1 error.',
          errors: [
            {
              detail: '"01234" is not a valid phone number for GB.',
              code: 'invalid_phone_number',
              attr: 'customers.0.landline',
            },
          ],
        },
        { headers: IGNORED_FIELDS },
      ),
    ),
  );

/** Describes the scheduling of an account (contract 4.7). */
export const DescribeSchedule = () =>
  applyDecorators(
    DescribeAccounts(),
    ApiOperation({
      operationId: 'scheduleAccount',
      summary: 'Schedule the creation of an account',
      description:
        'Stores the account and creates it in the background. Safe to repeat: sending the same account again during its creation changes nothing. A process that is PENDING keeps its window and `is_dry_run` unless `task_params` set them.',
    }),
    IdempotencyKeyHeader(),
    DescribeAccountBody(),
    ApiCreatedResponse({
      description: 'The account is stored, and its creation is scheduled.',
      headers: { ...(RESPONSE_HEADERS as object), ...PAYLOAD_DIGEST },
      content: NOTHING,
    }),
    ApiResponse(
      errorResponse(
        400,
        'The account is not valid or already imported, or the migration of its supplier is not ongoing.',
        {
          invalid: {
            code: 'import_process_failed_validation',
            detail:
              'The account data is not valid. Post it to /v2/data-import/accounts/validate/ to see every error.',
            domain: 'import_process',
          },
          imported: importedAccount,
          paused: {
            code: 'import_supplier_migration_not_ongoing',
            detail: 'Migrations of this import supplier are paused. Ask the operator when they go on.',
            domain: 'import_process',
          },
          'key reused': {
            code: 'idempotency_key_reused',
            detail: 'This Idempotency-Key was sent with another request.',
          },
        },
        { headers: PAYLOAD_DIGEST, schemas: ['Error', 'ImportedAccountError'] },
      ),
    ),
  );

/** Describes the v2 status of an account (contract 4.8). */
export const DescribeStatus = () =>
  applyDecorators(
    DescribeAccounts(),
    ApiOperation({
      operationId: 'readAccountImport',
      summary: 'Status of one account import',
      description: 'The status, the latest event and the latest error of the import process.',
    }),
    DescribeProcessPath(),
    ApiOkResponse({
      description: 'The status of the import.',
      headers: PAYLOAD_DIGEST,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ImportProcess' },
          example: exampleProcess,
        },
      },
    }),
    DescribeUnknownProcess(),
  );

/** Describes the cancellation of an account that has not begun. */
export const DescribeCancel = () =>
  applyDecorators(
    DescribeAccounts(),
    ApiOperation({
      operationId: 'cancelAccountImport',
      summary: 'Cancel the import of an account that has not begun',
      description: 'Safe to repeat. The account can be scheduled again afterwards.',
    }),
    DescribeProcessPath(),
    ApiOkResponse({
      description: 'The import is cancelled. The response is its status.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ImportProcess' },
          example: {
            ...exampleProcess,
            status: 'CANCELLED',
            platform_identifier: null,
            latest_event: {
              ...exampleProcess.latest_event,
              event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED',
            },
          },
        },
      },
    }),
    ApiResponse(
      errorResponse(
        400,
        'The import has begun or has ended.',
        {
          begun: {
            code: 'import_process_in_progress',
            detail:
              'The import has begun, so it cannot be cancelled any more. Read its status for the outcome.',
            domain: 'import_process',
          },
          imported: importedAccount,
          ended: {
            code: 'import_process_not_pending',
            detail: 'The import has ended with the status ERRORED, so there is nothing to cancel.',
            domain: 'import_process',
          },
        },
        { schemas: ['Error', 'ImportedAccountError'] },
      ),
    ),
    DescribeUnknownProcess(),
  );
