import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { EVENT_TYPE_NAMES, exampleEvent } from '@portage/domain';
import { AcceptsQuery } from '../http/query-parameters';
import { errorResponse } from '../openapi/error-responses';
import { EXAMPLE_CURSOR } from './events.schemas';
import { DEFAULT_EVENTS, MAX_EVENTS, MAX_WAIT_SECONDS } from './events-query';

/** Describes the feed. */
export const DescribeReadEvents = () =>
  applyDecorators(
    ApiTags('Events'),
    ApiSecurity('token'),
    ApiOperation({
      operationId: 'readEvents',
      summary: 'Read the events of a supplier, and wait for them',
      description:
        'What happened to the accounts and submissions of a supplier. A reader that passes `next` of each answer as `after` of its next request misses no event and reads none twice. An answer without events does not mean that there will be none: read on from `next`. The feed is not ordered by `timestamp`.',
    }),
    AcceptsQuery({
      supplier: { description: 'Import supplier code. Required.', schema: { type: 'string' } },
      after: {
        description:
          'The value of `next` from an earlier answer, unchanged; `now` for what happens from here on. From the beginning without it.',
        schema: { type: 'string' },
      },
      types: {
        description: 'Only events of these types. May be repeated or have commas. By default all.',
        isRepeatable: true,
        schema: { type: 'string', enum: [...EVENT_TYPE_NAMES] },
      },
      limit: {
        description: 'The most events of an answer',
        schema: { type: 'integer', minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_EVENTS },
      },
      wait: {
        description:
          'Seconds to wait if there is nothing. The answer is sent with the first events, or without any when the time is over or the instance stops.',
        schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
      },
    }),
    ApiOkResponse({
      description: 'The next events, in the order of the feed.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/EventPage' },
          example: {
            events: [
              exampleEvent('data_import.import_process.complete-v1'),
              exampleEvent('data_import.import_process.error-v1'),
              exampleEvent('data_import.submission.finished-v1'),
            ],
            next: EXAMPLE_CURSOR,
          },
        },
      },
    }),
    ApiResponse(
      errorResponse(400, 'A query parameter is not valid.', {
        code: 'validation_error',
        detail: 'A query parameter is not valid.',
        errors: [
          {
            attr: 'after',
            code: 'invalid',
            detail:
              'after must be now, or the value of next from an earlier answer, unchanged. Leave it out to read from the beginning.',
          },
        ],
      }),
    ),
    ApiResponse(
      errorResponse(404, 'There is no such import supplier.', {
        code: 'not_found',
        detail: 'There is no such import supplier.',
      }),
    ),
  );
