import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { DescribeAccountUpdate } from '../openapi/after-import';
import { errorResponse } from '../openapi/error-responses';
import { RESPONSE_HEADERS } from '../openapi/idempotency';

const exampleNotes = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  notes: [
    { body: 'Prefers calls after 18:00.', is_pinned: true, unpin_at: '2027-01-01T00:00:00Z' },
    {
      created_at: '2024-04-11T13:05:00Z',
      document_paths: [{ document_path: 'A-100231/letters/2024-04-11.pdf' }],
    },
  ],
};

const exampleResults = [
  {
    created_at: '2026-11-21T09:30:00Z',
    body: 'Prefers calls after 18:00.',
    status: 'NOTE_CREATION_SUCCESS',
  },
  { created_at: '2024-04-11T13:05:00Z', body: null, status: 'NOTE_ALREADY_EXISTS' },
];

const RESULTS = {
  type: 'array',
  description: 'One result for each note, in the order of the request.',
  items: {
    type: 'object',
    required: ['created_at', 'body', 'status'],
    properties: {
      created_at: { type: 'string', format: 'date-time', description: 'The stored time.' },
      body: { type: ['string', 'null'], description: 'Null for a note that has documents only.' },
      status: { type: 'string', enum: ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'] },
    },
  },
} as never;

/** Describes the addition of notes (contract 4.2). */
export const DescribeCreateNotes = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createNotes',
      summary: 'Add notes to an imported account',
      description:
        'Adds all of them, or none. Safe to repeat: a note is not added again if the account has one with the same body and, if it is sent, the same `created_at`. Notes without a body are compared by their documents.',
    }),
    DescribeAccountUpdate(),
    ApiBody({
      description: 'The account and its notes.',
      required: true,
      schema: { $ref: '#/components/schemas/NotesRequest' } as never,
      examples: { notes: { value: exampleNotes } },
    }),
    ApiCreatedResponse({
      description: 'The result of each note.',
      headers: RESPONSE_HEADERS,
      content: { 'application/json': { schema: RESULTS, example: exampleResults } },
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
              detail: 'A note needs a body or at least one document.',
              code: 'note_body_or_document_path_not_found',
              attr: 'notes.0.body',
            },
          ],
        },
      ),
    ),
  );
