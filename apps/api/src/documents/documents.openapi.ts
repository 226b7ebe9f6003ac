import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AcceptsQuery } from '../http/query-parameters';
import { errorResponse } from '../openapi/error-responses';

const example = {
  external_account_number: 'A-100231',
  platform_account_number: 'A-9c41e07b',
  document_path: 'A-100231/letters/2024-04-11.pdf',
  kind: 'note',
  state: 'MISSING',
  error_code: 'path_does_not_exist_in_file_store',
  inspected_at: '2026-11-22T09:30:00.189012+00:00',
};

/** Describes the list of documents. */
export const DescribeDocuments = () =>
  applyDecorators(
    ApiTags('Documents'),
    ApiSecurity('token'),
    ApiOperation({
      operationId: 'listDocuments',
      summary: 'List documents that are missing or refused',
      description:
        'Documents of imported accounts that were not found in the document store, or are not what they should be. Ordered by external account number, and streamed.',
    }),
    ApiParam({ name: 'supplier', description: 'Import supplier code', example: 'DEMO' }),
    AcceptsQuery({
      state: {
        description: 'Only documents in this state. May be repeated. By default both are listed.',
        isRepeatable: true,
        schema: { type: 'string', enum: ['MISSING', 'REFUSED'] },
      },
    }),
    ApiOkResponse({
      description: 'The list.',
      content: {
        'application/json': {
          schema: { type: 'array', items: { $ref: '#/components/schemas/UnsettledDocument' } },
          example: [example],
        },
      },
    }),
    ApiResponse(
      errorResponse(400, 'A query parameter is not valid.', {
        code: 'validation_error',
        detail: 'A query parameter is not valid.',
        errors: [{ attr: 'state', code: 'invalid_choice', detail: 'state must be MISSING or REFUSED.' }],
      }),
    ),
    ApiResponse(
      errorResponse(404, 'There is no such import supplier.', {
        code: 'not_found',
        detail: 'There is no such import supplier.',
      }),
    ),
  );
