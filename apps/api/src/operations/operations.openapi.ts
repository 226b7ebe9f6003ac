import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { errorResponse } from '../openapi/error-responses';

export const DescribeLive = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({ operationId: 'readLiveness', summary: 'Whether the process lives' }),
    ApiOkResponse({ description: 'It does.', schema: { example: { status: 'ok' } } }),
  );

export const DescribeReady = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({
      operationId: 'readReadiness',
      summary: 'Whether the instance should be sent requests',
      description:
        'Checks database, migrations and queue. Without the queue the status is `degraded`: accounts are accepted and enqueued later.',
    }),
    ApiOkResponse({
      description: 'Send requests.',
      schema: {
        example: { status: 'ok', database: 'up', migrations: 'up', queue: 'up', backend: 'postgres' },
      },
    }),
    ApiResponse(
      errorResponse(503, 'Do not send requests.', {
        code: 'unavailable',
        detail: 'The database cannot be reached.',
        database: 'down',
        migrations: 'down',
        queue: 'down',
        backend: 'postgres',
      }),
    ),
  );

export const DescribeMetrics = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({
      operationId: 'readMetrics',
      summary: 'Figures for Prometheus',
    }),
    ApiSecurity('metrics'),
    ApiProduces('text/plain'),
    ApiOkResponse({ description: 'Prometheus text format.' }),
    ApiResponse(
      errorResponse(401, 'The token is missing or wrong.', {
        code: 'not_authenticated',
        detail: 'Send the header: Authorization: Bearer <METRICS_TOKEN>.',
      }),
    ),
    ApiResponse(
      errorResponse(404, 'The operator has set no token.', {
        code: 'not_found',
        detail: 'The metrics are off: METRICS_TOKEN is not set.',
      }),
    ),
  );
