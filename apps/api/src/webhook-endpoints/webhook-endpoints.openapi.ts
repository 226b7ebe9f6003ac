import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { DEFAULT_WEBHOOK_TYPES } from '@portage/importing';
import { EXAMPLE_CURSOR } from '../events/events.schemas';
import { AcceptsQuery } from '../http/query-parameters';
import { errorResponse } from '../openapi/error-responses';
import { jsonContent } from '../openapi/json-content';

/** Attempts that the API lists. The command line lists all. */
export const SHOWN_ATTEMPTS = 100;

const endpoint = {
  id: '3',
  import_supplier: 'DEMO',
  url: 'https://hooks.example.com/portage',
  types: [...DEFAULT_WEBHOOK_TYPES],
  description: 'Billing',
  status: 'ENABLED',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  next_attempt_at: null,
  cursor: EXAMPLE_CURSOR,
  previous_secret_until: null,
  created_at: '2026-11-22T09:30:00.123456+00:00',
};

const withSecret = { ...endpoint, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD+1rZVdyVY8A=' };

const disabled = {
  ...endpoint,
  ...{ status: 'DISABLED', disabled_reason: 'manual', disabled_at: '2026-11-22T10:00:00.000000+00:00' },
};

const attempt = {
  ...{ id: '71', event_id: 'evt_1042_1_1_errored', type: 'data_import.import_process.error-v1', attempt: 1 },
  ...{ status: 500, error: 'http_status', duration_ms: 84, occurred_at: '2026-11-22T10:02:11.120000+00:00' },
};

const listContent = (schema: string, example: object) => ({
  'application/json': {
    schema: { type: 'array' as const, items: { $ref: `#/components/schemas/${schema}` } },
    example: [example],
  },
});

const DescribeEndpoints = () => applyDecorators(ApiTags('Webhooks'), ApiSecurity('token'));

const DescribeId = () =>
  applyDecorators(
    DescribeEndpoints(),
    ApiParam({ name: 'id', description: 'The id of the endpoint', example: '3' }),
    ApiResponse(
      errorResponse(404, 'There is no such endpoint.', {
        code: 'not_found',
        detail: 'There is no such webhook endpoint.',
      }),
    ),
  );

/** Describes the creation of an endpoint. */
export const DescribeCreate = () =>
  applyDecorators(
    DescribeEndpoints(),
    ApiOperation({
      operationId: 'createWebhookEndpoint',
      summary: 'Create a webhook endpoint',
      description:
        'The events of the supplier from now on are sent to the URL, in the order of the feed, signed as the Standard Webhooks specification says. `secret` is shown here only. Each request creates another endpoint, up to 20 for a supplier.',
    }),
    ApiBody({
      required: true,
      schema: { $ref: '#/components/schemas/CreateWebhookEndpointRequest' },
      examples: {
        endpoint: { value: { import_supplier: 'DEMO', url: 'https://hooks.example.com/portage' } },
      },
    }),
    ApiCreatedResponse({
      description: 'The endpoint, with its secret.',
      content: jsonContent('WebhookEndpointWithSecret', withSecret),
    }),
    ApiResponse(
      errorResponse(400, 'The endpoint is not valid, or the supplier has too many.', {
        code: 'validation_error',
        detail: 'The request is not valid.',
        errors: [{ detail: 'Enter a URL that starts with https://.', code: 'invalid', attr: 'url' }],
      }),
    ),
  );

/** Describes the list of endpoints. */
export const DescribeList = () =>
  applyDecorators(
    DescribeEndpoints(),
    ApiOperation({
      operationId: 'listWebhookEndpoints',
      summary: 'List the webhook endpoints of a supplier',
      description: 'All of them, in the order of creation, without their secrets.',
    }),
    AcceptsQuery({
      supplier: { description: 'Import supplier code. Required.', schema: { type: 'string' } },
    }),
    ApiOkResponse({ description: 'The endpoints.', content: listContent('WebhookEndpoint', endpoint) }),
  );

/** Describes the state of an endpoint. */
export const DescribeRead = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'readWebhookEndpoint',
      summary: 'Read a webhook endpoint',
      description: 'Its state and its place in the feed, without its secret.',
    }),
    ApiOkResponse({ description: 'The endpoint.', content: jsonContent('WebhookEndpoint', endpoint) }),
  );

/** Describes the attempts of an endpoint. */
export const DescribeAttempts = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'listWebhookAttempts',
      summary: 'List the last attempts to deliver events',
      description: `The last ${SHOWN_ATTEMPTS} attempts, newest first. Attempts are stored for a week.`,
    }),
    ApiOkResponse({ description: 'The attempts.', content: listContent('WebhookAttempt', attempt) }),
  );

/** Describes the deletion of an endpoint. */
export const DescribeDelete = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint',
      description: 'A delivery that is in flight ends by itself.',
    }),
    ApiNoContentResponse({ description: 'The endpoint is deleted.' }),
  );

/** Describes the rotation of a secret. */
export const DescribeRotateSecret = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'rotateWebhookSecret',
      summary: 'Give an endpoint a new secret',
      description:
        'The secret before it signs too for 24 hours: `webhook-signature` has one signature for each. A second rotation within that time ends the first secret.',
    }),
    ApiOkResponse({
      description: 'The endpoint, with its new secret.',
      content: jsonContent('WebhookEndpointWithSecret', {
        ...withSecret,
        previous_secret_until: '2026-11-23T10:00:00.000000+00:00',
      }),
    }),
  );

/** Describes the test of an endpoint. */
export const DescribeTest = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'testWebhookEndpoint',
      summary: 'Send a test event',
      description:
        'Sends one event of the type `data_import.webhook_test-v1` at once, also to a disabled endpoint, and answers with what the receiver has made of it. At most 10 a minute for an organisation.',
    }),
    ApiOkResponse({
      description: 'The result of the attempt. Its status is the one of the receiver.',
      content: jsonContent('WebhookTest', {
        ...{ event_id: 'test_5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11', delivered: true, status: 204 },
        ...{ error: null, duration_ms: 84 },
      }),
    }),
  );

/** Describes the replay of events. */
export const DescribeReplay = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'replayWebhookEvents',
      summary: 'Deliver events again, from a place in the feed on',
      description:
        'Events keep their ids, so that a receiver can recognise them. `now` leaves out what was not delivered.',
    }),
    ApiBody({
      required: true,
      schema: { $ref: '#/components/schemas/ReplayWebhookEventsRequest' },
      examples: { replay: { value: { after: 'beginning' } } },
    }),
    ApiOkResponse({ description: 'The endpoint.', content: jsonContent('WebhookEndpoint', endpoint) }),
    ApiResponse(
      errorResponse(400, 'The cursor is not valid.', {
        code: 'validation_error',
        detail: 'The request is not valid.',
        errors: [
          {
            detail: 'Enter a cursor: `next` of the feed, `cursor` of an endpoint, "beginning" or "now".',
            code: 'invalid',
            attr: 'after',
          },
        ],
      }),
    ),
  );

/** Describes the enabling of an endpoint. */
export const DescribeEnable = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'enableWebhookEndpoint',
      summary: 'Enable a webhook endpoint',
      description: 'Delivery goes on where it stopped, at once. Safe to repeat.',
    }),
    ApiOkResponse({ description: 'The endpoint.', content: jsonContent('WebhookEndpoint', endpoint) }),
  );

/** Describes the disabling of an endpoint. */
export const DescribeDisable = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'disableWebhookEndpoint',
      summary: 'Disable a webhook endpoint',
      description: 'Events that occur meanwhile are delivered once it is enabled again. Safe to repeat.',
    }),
    ApiOkResponse({ description: 'The endpoint.', content: jsonContent('WebhookEndpoint', disabled) }),
  );
