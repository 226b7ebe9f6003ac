import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { errorResponse } from '../openapi/error-responses';

/** Describes the liveness check. */
export const DescribeLive = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({ operationId: 'readLiveness', summary: 'Liveness' }),
    ApiOkResponse({ description: 'The process is alive.', schema: { example: { status: 'ok' } } }),
  );

/** Describes the readiness check. */
export const DescribeReady = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({
      operationId: 'readReadiness',
      summary: 'Readiness',
      description:
        'Checks the database, its migrations and the queue. While the queue is unavailable the status is `degraded`: accounts are accepted and enqueued later.',
    }),
    ApiOkResponse({
      description: 'The instance can take requests.',
      schema: {
        example: { status: 'ok', database: 'up', migrations: 'up', queue: 'up', backend: 'postgres' },
      },
    }),
    ApiResponse(
      errorResponse(503, 'The instance cannot take requests.', {
        code: 'unavailable',
        detail: 'The database cannot be reached.',
        database: 'down',
        migrations: 'down',
        queue: 'down',
        backend: 'postgres',
      }),
    ),
  );

/** Describes the metrics. */
export const DescribeMetrics = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({
      operationId: 'readMetrics',
      summary: 'Metrics for Prometheus',
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
      errorResponse(404, 'Metrics are off, because METRICS_TOKEN is not set.', {
        code: 'not_found',
        detail: 'The metrics are off: METRICS_TOKEN is not set.',
      }),
    ),
  );
