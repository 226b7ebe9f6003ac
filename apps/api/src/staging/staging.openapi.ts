import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { errorResponse } from '../openapi/error-responses';
import { accountExamples, exampleAccount } from '../openapi/examples';
import { IdempotencyKeyHeader, IGNORED_FIELDS, RESPONSE_HEADERS } from '../openapi/idempotency';

const exampleStaged = { external_account_number: 'A-100231', import_supplier_code: 'DEMO' };

const exampleRequest = { import_supplier_code: 'DEMO', external_account_number: 'A-100231', dry_run: false };

const exampleProcessed = {
  external_account_number: 'A-100231',
  platform_account_number: 'A-9c41e07b',
  account_number: 'A-9c41e07b',
};

const alreadyImported = {
  external_account_number: 'A-100231',
  platform_account_number: 'A-9c41e07b',
  non_field_errors: [
    'The account import process with the account number A-100231 has already been imported.',
  ],
};

const invalid = {
  code: 'account_failed_validation',
  detail: 'The account data is not valid: 1 error.',
  errors: [
    {
      detail: '"01234" is not a valid phone number for GB.',
      code: 'invalid_phone_number',
      attr: 'customers.0.landline',
    },
  ],
};

const invalidFields = { customers: [{ landline: ['"01234" is not a valid phone number for GB.'] }] };

const notOngoing = {
  code: 'import_supplier_migration_not_ongoing',
  detail: 'Migrations of this import supplier are paused. Ask the operator when they go on.',
  domain: 'import_process',
};

const STAGED = {
  type: 'object',
  required: ['external_account_number', 'import_supplier_code'],
  properties: { external_account_number: { type: 'string' }, import_supplier_code: { type: 'string' } },
} as never;

const PROCESSED = {
  type: 'object',
  required: ['external_account_number', 'platform_account_number', 'account_number'],
  properties: {
    external_account_number: { type: 'string' },
    platform_account_number: { type: 'string' },
    account_number: { type: 'string', deprecated: true, description: 'Use platform_account_number.' },
  },
} as never;

const REFUSED = {
  anyOf: [
    { $ref: '#/components/schemas/Error' },
    { $ref: '#/components/schemas/AlreadyImportedError' },
    { $ref: '#/components/schemas/NestedErrors' },
  ],
};

const DescribeStaging = (operationId: string, summary: string, description: string) =>
  applyDecorators(
    ApiTags('Staged accounts (v1)'),
    ApiSecurity('token'),
    ApiOperation({ operationId, summary, description }),
  );

const DescribeBareAccount = () =>
  ApiBody({
    description: 'The account.',
    required: true,
    schema: { $ref: '#/components/schemas/Account' } as never,
    examples: accountExamples,
  });

const DescribeRefusal = (description: string, examples: Record<string, object>) =>
  ApiResponse({
    status: 400,
    description,
    headers: RESPONSE_HEADERS,
    content: {
      'application/json': {
        schema: REFUSED,
        examples: Object.fromEntries(
          Object.entries({ ...examples, 'already imported': alreadyImported, 'not ongoing': notOngoing }).map(
            ([name, value]) => [name, { value }],
          ),
        ),
      },
    },
  });

/** Describes the validation of an account that is to be staged. */
export const DescribeValidateAccount = () =>
  applyDecorators(
    DescribeStaging(
      'validateStagedAccount',
      'Validate an account (v1)',
      'Applies all validation rules and stores nothing. The response is the account after conversion: phone numbers in E.164, decimals as exact text, blanks dropped, undocumented fields as they came.',
    ),
    DescribeBareAccount(),
    ApiOkResponse({
      description: 'The converted account.',
      headers: IGNORED_FIELDS,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Account' },
          example: {
            ...exampleAccount,
            customers: exampleAccount.customers.map((customer) => ({
              ...customer,
              landline: '+441212345678',
            })),
          },
        },
      },
    }),
    DescribeRefusal('The account is not valid or already imported. The response has all errors.', {
      invalid,
      'invalid, as fields': invalidFields,
    }),
  );

/** Describes the staging of an account. */
export const DescribeStageAccount = () =>
  applyDecorators(
    DescribeStaging(
      'stageAccount',
      'Stage an account (v1)',
      'Validates and stores the account. It is created when `process` is called, whatever the creation mode of its supplier. May be repeated until the account exists: the latest stage counts.',
    ),
    IdempotencyKeyHeader(),
    DescribeBareAccount(),
    ApiCreatedResponse({
      description: 'The account is staged for the first time.',
      headers: RESPONSE_HEADERS,
      content: { 'application/json': { schema: STAGED, example: exampleStaged } },
    }),
    ApiOkResponse({
      description: 'An earlier stage of the account was replaced.',
      headers: RESPONSE_HEADERS,
      content: { 'application/json': { schema: STAGED, example: exampleStaged } },
    }),
    DescribeRefusal('Nothing was staged: the account is not valid, already imported or being processed.', {
      invalid,
      'invalid, as fields': invalidFields,
      'in progress': {
        code: 'import_process_in_progress',
        detail: 'This account is being processed. Wait for the outcome and send it again.',
        domain: 'import_process',
      },
    }),
  );

/** Describes the creation of a staged account. */
export const DescribeProcessAccount = () =>
  applyDecorators(
    DescribeStaging(
      'processStagedAccount',
      'Create a staged account (v1)',
      'Creates the account while the caller waits. If no worker finishes in time the response is 503; the work is still done once, and the same request finds its outcome.',
    ),
    IdempotencyKeyHeader(),
    ApiBody({
      description: 'The staged account.',
      required: true,
      schema: { $ref: '#/components/schemas/ProcessAccountRequest' } as never,
      examples: {
        create: { value: exampleRequest },
        'dry run': { value: { ...exampleRequest, dry_run: true } },
      },
    }),
    ApiCreatedResponse({
      description: 'The account exists.',
      headers: RESPONSE_HEADERS,
      content: { 'application/json': { schema: PROCESSED, example: exampleProcessed } },
    }),
    DescribeRefusal(
      'No account was created: the request or the account is not valid, or the request was a dry run. A dry run that found nothing has the code `400`.',
      {
        invalid,
        'successful dry run': {
          code: '400',
          detail: 'Account would successfully import. Rolled back due to Dry Run.',
        },
        'not staged': {
          code: 'import_process_does_not_exist',
          detail:
            'There is no staged account with this import_supplier_code and external_account_number. Stage it first with /v1/data-import/account-import-process/create-or-update/.',
          domain: 'import_process',
        },
      },
    ),
    ApiResponse(
      errorResponse(429, 'The limit of accounts that the supplier may have processed at once is reached.', {
        code: 'throttled',
        detail: 'This import supplier may have 4 accounts processed at the same time. Try again in 1 s.',
      }),
    ),
    ApiResponse(
      errorResponse(500, 'No account was created because of an internal error.', {
        code: 'error',
        detail:
          'The account could not be created, for a reason on our side that the operator can see in the log.',
      }),
    ),
  );
