import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { ListedKind } from '@portage/database';
import { IMPORT_PROCESS_STATUSES } from '@portage/domain';
import { LIST_MEMBERS } from '@portage/importing';
import { AcceptsQuery } from '../http/query-parameters';
import { errorResponse } from '../openapi/error-responses';
import { PAYLOAD_DIGEST } from '../openapi/payload-digest';

const DescribeSupplier = () =>
  ApiParam({ name: 'supplier', description: 'Import supplier code', example: 'DEMO' });

const pendingItem = {
  external_account_number: 'A-100232',
  platform_account_number: null,
  account_created_at: null,
};
const importedItem = {
  external_account_number: 'A-100231',
  platform_account_number: 'A-9c41e07b',
  account_created_at: '2026-11-21T09:30:00Z',
};

const LISTS: Record<ListedKind, { summary: string; example: object[] }> = {
  all: { summary: 'List all import processes that are not cancelled', example: [importedItem, pendingItem] },
  pending: { summary: 'List import processes without an account', example: [pendingItem] },
  imported: { summary: 'List imported accounts', example: [importedItem] },
};

/** Describes one of the list endpoints (contract 4.10). */
export const DescribeList = (kind: ListedKind) =>
  applyDecorators(
    ApiTags('Import processes'),
    ApiSecurity('token'),
    ApiOperation({
      operationId: `list${kind.charAt(0).toUpperCase()}${kind.slice(1)}ImportProcesses`,
      summary: LISTS[kind].summary,
      description: 'In the order of creation. Without `limit` the whole list is streamed.',
    }),
    DescribeSupplier(),
    AcceptsQuery({
      limit: { description: 'Rows of a page', schema: { type: 'integer', minimum: 1 } },
      after: {
        description: 'The external_account_number of the last row of the previous page',
        schema: { type: 'string' },
      },
      status: {
        description:
          'Only processes with this v2 status. May be repeated. With `CANCELLED`, cancelled processes are listed too.',
        isRepeatable: true,
        schema: { type: 'string', enum: [...IMPORT_PROCESS_STATUSES] },
      },
      include: {
        description:
          'Members of the items besides the three of the contract: `status` (v2) and `error`. May be repeated or have commas.',
        isRepeatable: true,
        schema: { type: 'string', enum: [...LIST_MEMBERS] },
      },
    }),
    ApiOkResponse({
      description: 'The list.',
      headers: {
        Link: {
          description: 'With `limit`: the address of the next page, `rel="next"`.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/json': {
          schema: { type: 'array', items: { $ref: '#/components/schemas/ListItem' } },
          example: LISTS[kind].example,
        },
      },
    }),
    ApiResponse(
      errorResponse(400, 'A query parameter is not valid.', {
        code: 'validation_error',
        detail: 'A query parameter is not valid.',
        errors: [{ attr: 'limit', code: 'invalid', detail: 'limit must be a whole number from 1 to 10000.' }],
      }),
    ),
    ApiResponse(
      errorResponse(404, 'There is no such import supplier.', {
        code: 'not_found',
        detail: 'There is no such import supplier.',
      }),
    ),
  );

/** Describes the v1 status of an account (contract 4.9). */
export const DescribeTransferStatus = () =>
  applyDecorators(
    ApiTags('Import processes'),
    ApiSecurity('token'),
    ApiOperation({
      operationId: 'readAccountTransferStatus',
      summary: 'Status of one account (v1)',
      description: 'Answers whenever there is an import process, with or without an account.',
    }),
    DescribeSupplier(),
    ApiParam({
      name: 'accountNumber',
      description: 'External account number, percent-encoded',
      example: 'A-100231',
    }),
    ApiOkResponse({
      description: 'The status of the account.',
      headers: PAYLOAD_DIGEST,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/AccountTransferStatus' },
          example: { status: 'COMPLETED', platform_account_number: 'A-9c41e07b' },
        },
      },
    }),
    ApiResponse(
      errorResponse(404, 'There is no such account.', {
        code: 'not_found',
        detail: 'There is no account with this external account number.',
      }),
    ),
  );
