import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { errorResponse } from '../openapi/error-responses';

/** Describes the liveness check. */
export const DescribeLive = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({
      operationId: 'readLiveness',
      summary: 'Liveness',
      description: 'Answers as long as the process runs. It depends on no other service.',
    }),
    ApiOkResponse({
      description: 'The process is alive.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Liveness' },
          example: { status: 'ok' },
        },
      },
    }),
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
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Readiness' },
          example: { status: 'ok', database: 'up', migrations: 'up', queue: 'up', backend: 'postgres' },
        },
      },
    }),
    ApiResponse(
      errorResponse(
        503,
        'The instance cannot take requests.',
        {
          code: 'unavailable',
          detail: 'The database cannot be reached.',
          database: 'down',
          migrations: 'down',
          queue: 'down',
          backend: 'postgres',
        },
        { schemas: ['Unreadiness'] },
      ),
    ),
  );

/** Describes the metrics. */
export const DescribeMetrics = () =>
  applyDecorators(
    ApiTags('Operations'),
    ApiOperation({
      operationId: 'readMetrics',
      summary: 'Metrics for Prometheus',
      description:
        'Metrics of this instance, and of the queues and import processes of the whole installation.',
    }),
    ApiSecurity('metrics'),
    ApiOkResponse({
      description: 'Prometheus text format.',
      content: { 'text/plain': { schema: { type: 'string' }, example: 'portage_requests_total 12' } },
    }),
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
