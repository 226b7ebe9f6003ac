import { DEFAULT_WEBHOOK_TYPES } from '@portage/importing';
import { webhookSchemas as supplierSchemas } from '../../webhook-endpoints/webhook-endpoints.schemas';
import { OperatorOperation, PAGE_QUERY, SUPPLIER_PARAM } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

const { url, types, description } = supplierSchemas.CreateWebhookEndpointRequest.properties;

/** The last attempts that an endpoint is shown with. */
export const SHOWN_ATTEMPTS = 100;

/** An endpoint is the same for operators and suppliers. */
export const webhookSchemas: Readonly<Record<string, form.Schema>> = {
  WebhookEndpoint: supplierSchemas['WebhookEndpoint'],
  WebhookEndpointWithSecret: supplierSchemas['WebhookEndpointWithSecret'],
  CreateWebhookRequest: form.bodyOf({ url, types, description }, ['types', 'description']),
  DeleteWebhookRequest: form.bodyOf({
    confirm: form.described(form.text, 'The id of the endpoint, as the operator typed it.'),
  }),
  WebhookAttempt: supplierSchemas['WebhookAttempt'],
  WebhookAttemptPage: form.pageOf('WebhookAttempt'),
  WebhookTest: supplierSchemas['WebhookTest'],
  ReplayWebhookEventsRequest: supplierSchemas['ReplayWebhookEventsRequest'],
  WebhookList: form.objectOf({ items: form.listOf(form.ref('WebhookEndpoint')) }),
  WebhookDetail: form.objectOf({
    endpoint: form.ref('WebhookEndpoint'),
    attempts: form.listOf(form.ref('WebhookAttempt')),
  }),
};

const endpoint = {
  ...{ id: '3', import_supplier: 'DEMO', url: 'https://hooks.example.com/portage' },
  ...{ types: [...DEFAULT_WEBHOOK_TYPES], description: 'Billing', status: 'ENABLED', disabled_reason: null },
  ...{ disabled_at: null, failing_since: null, next_attempt_at: null },
  ...{ cursor: 'AQAAAAAAAAPoAAAAAAAAAAAAAAAAAAAAAAA', previous_secret_until: null },
  created_at: '2026-11-22T09:30:00.123456+00:00',
};

const attempt = {
  ...{ id: '71', event_id: 'evt_1042_1_1_errored', type: 'data_import.import_process.error-v1', attempt: 1 },
  ...{ status: 500, error: 'http_status', duration_ms: 84, occurred_at: '2026-11-22T10:02:11.120000+00:00' },
};

const ofEndpoint = {
  tag: 'Webhooks',
  params: { id: { description: 'The id of the endpoint', example: '3' } },
} as const;

/** Describes the endpoints of a supplier. */
export const DescribeWebhooks = () =>
  OperatorOperation({
    ...{ tag: 'Webhooks', operationId: 'listWebhooks', summary: 'List the webhook endpoints of a supplier' },
    ...{ role: 'viewer', params: SUPPLIER_PARAM },
    ...{
      answer: 'WebhookList',
      answerDescription: 'The endpoints.',
      example: { items: [endpoint] },
      errors: ['not_found'],
    },
  });

/** Describes one endpoint. */
export const DescribeWebhook = () =>
  OperatorOperation({
    ...{
      ...ofEndpoint,
      operationId: 'readWebhook',
      summary: 'Read an endpoint with its last attempts',
      role: 'viewer',
    },
    ...{
      answer: 'WebhookDetail',
      answerDescription: `The endpoint and its last ${SHOWN_ATTEMPTS} attempts.`,
    },
    ...{ example: { endpoint, attempts: [attempt] }, errors: ['not_found'] },
  });

/** Describes the creation of an endpoint. */
export const DescribeCreateWebhook = () =>
  OperatorOperation({
    ...{ tag: 'Webhooks', operationId: 'createWebhook', summary: 'Create a webhook endpoint' },
    ...{ role: 'operator', params: SUPPLIER_PARAM, status: 201 },
    description: 'It gets the events from now on. The secret is shown here only.',
    body: { schema: 'CreateWebhookRequest', examples: { endpoint: { url: endpoint.url } } },
    ...{ answer: 'WebhookEndpointWithSecret', answerDescription: 'The endpoint with its secret.' },
    ...{ example: { ...endpoint, secret: 'whsec_c2VjcmV0' }, errors: ['not_found', 'validation_error'] },
  });

/** Describes the attempts of an endpoint. */
export const DescribeAttempts = () =>
  OperatorOperation({
    ...{ ...ofEndpoint, operationId: 'listWebhookAttempts', role: 'viewer', query: PAGE_QUERY },
    summary: 'List the attempts of the last week to deliver events, the newest first',
    ...{ answer: 'WebhookAttemptPage', answerDescription: 'A page of attempts.' },
    ...{ example: { items: [attempt], next_cursor: null }, errors: ['not_found', 'validation_error'] },
  });

/** Describes a new secret. */
export const DescribeRotateSecret = () =>
  OperatorOperation({
    ...{ ...ofEndpoint, operationId: 'rotateWebhookSecret', summary: 'Give an endpoint a new secret' },
    role: 'operator',
    description: 'The secret is shown here only. The one before it signs too for 24 hours.',
    ...{ answer: 'WebhookEndpointWithSecret', answerDescription: 'The endpoint with its secret.' },
    ...{ example: { ...endpoint, secret: 'whsec_c2VjcmV0' }, errors: ['not_found'] },
  });

/** Describes the deletion of an endpoint. */
export const DescribeDeleteWebhook = () =>
  OperatorOperation({
    ...{ ...ofEndpoint, operationId: 'deleteWebhook', summary: 'Delete an endpoint', role: 'operator' },
    body: { schema: 'DeleteWebhookRequest', examples: { delete: { confirm: '3' } } },
    ...{ status: 204, answerDescription: 'The endpoint is deleted.' },
    errors: ['not_found', 'validation_error', 'confirmation_required'],
  });

/** Describes the enabling of an endpoint. */
export const DescribeEnable = () =>
  OperatorOperation({
    ...{ ...ofEndpoint, operationId: 'enableWebhook', summary: 'Enable an endpoint', role: 'operator' },
    description: 'Delivery goes on where it stopped. Safe to repeat.',
    ...{
      answer: 'WebhookEndpoint',
      answerDescription: 'The endpoint.',
      example: endpoint,
      errors: ['not_found'],
    },
  });

/** Describes the disabling of an endpoint. */
export const DescribeDisable = () =>
  OperatorOperation({
    ...{ ...ofEndpoint, operationId: 'disableWebhook', summary: 'Disable an endpoint', role: 'operator' },
    description: 'Its events wait until it is enabled. Safe to repeat.',
    ...{
      answer: 'WebhookEndpoint',
      answerDescription: 'The endpoint.',
      example: endpoint,
      errors: ['not_found'],
    },
  });

/** Describes the replay of events. */
export const DescribeReplay = () =>
  OperatorOperation({
    ...{ ...ofEndpoint, operationId: 'replayWebhook', summary: 'Deliver events again', role: 'operator' },
    body: { schema: 'ReplayWebhookEventsRequest', examples: { replay: { after: 'beginning' } } },
    ...{ answer: 'WebhookEndpoint', answerDescription: 'The endpoint.', example: endpoint },
    errors: ['not_found', 'validation_error'],
  });

/** Describes the test of an endpoint. */
export const DescribeTest = () =>
  OperatorOperation({
    ...{ ...ofEndpoint, operationId: 'testWebhook', summary: 'Send a test event at once', role: 'operator' },
    ...{
      answer: 'WebhookTest',
      answerDescription: 'What the receiver has made of it.',
      errors: ['not_found'],
    },
    example: {
      ...{ event_id: 'test_5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11', delivered: true, status: 204 },
      ...{ error: null, duration_ms: 84 },
    },
  });
