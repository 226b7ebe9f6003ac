import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import {
  TestWebhook,
  WebhookAttemptView,
  WebhookEndpoints,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
  WebhookVerificationResult,
} from '@portage/events';
import type { Caller } from '@portage/tenants';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { AnswersError } from '../openapi/errors.dto';
import {
  CreateWebhookEndpointRequest,
  ReplayWebhookEventsRequest,
  WebhookEndpointsQuery,
} from './webhook-endpoints.dto';
import {
  exampleAttempt,
  exampleDisabled,
  exampleEndpoint,
  exampleTest,
  exampleVerification,
  exampleWithSecret,
} from './webhook-endpoints.examples';

/** Attempts that the API lists. The command line lists all. */
const SHOWN_ATTEMPTS = 100;

/** Webhook endpoints: URLs of a supplier to which the events of its feed are sent. */
@ApiTags('Webhooks')
@ApiSecurity('token')
@Controller('v2/data-import/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly tests: TestWebhook,
  ) {}

  @Post()
  @HttpCode(201)
  @Endpoint({
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'The events of the supplier from now on are sent to the URL once it is verified, in the order of the feed, signed as the Standard Webhooks specification says. `secret` is shown here only. Each request creates another endpoint, up to 20 for a supplier.',
    errors: ['validation_error', 'quota_reached'],
  })
  @ApiBody({
    type: CreateWebhookEndpointRequest,
    examples: {
      endpoint: { value: { import_supplier: 'DEMO', url: 'https://hooks.example.com/portage' } },
    },
  })
  @ApiCreatedResponse({
    description: 'The endpoint, with its secret.',
    type: WebhookEndpointWithSecret,
    example: exampleWithSecret,
  })
  @AnswersError(400, 'The endpoint is not valid, or the supplier has too many.')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateWebhookEndpointRequest,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.create(caller, body);
  }

  @Get()
  @Endpoint({
    id: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of a supplier',
    description: 'All of them, in the order of creation, without their secrets.',
    errors: ['validation_error'],
    notFound: 'There is no such import supplier.',
  })
  @ApiOkResponse({ description: 'The endpoints.', type: [WebhookEndpointView], example: [exampleEndpoint] })
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Query() { supplier }: WebhookEndpointsQuery,
  ): Promise<WebhookEndpointView[]> {
    return this.endpoints.list(organisationId, supplier);
  }

  @Get(':id')
  @Endpoint({
    id: 'readWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    description: 'Its state and its place in the feed, without its secret.',
  })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointView, example: exampleEndpoint })
  async read(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.show(caller, id);
  }

  @Get(':id/attempts')
  @Endpoint({
    id: 'listWebhookAttempts',
    summary: 'List the last attempts to deliver events',
    description: `The last ${SHOWN_ATTEMPTS} attempts, newest first. The last 5,000 of an endpoint are stored, for a week.`,
  })
  @ApiOkResponse({ description: 'The attempts.', type: [WebhookAttemptView], example: [exampleAttempt] })
  async attempts(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookAttemptView[]> {
    return this.endpoints.listAttempts(caller, id, { limit: SHOWN_ATTEMPTS });
  }

  @Delete(':id')
  @HttpCode(204)
  @Endpoint({
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'A delivery that is in flight ends by itself.',
  })
  @ApiNoContentResponse({ description: 'The endpoint is deleted.' })
  async delete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.endpoints.delete(caller, id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Endpoint({
    id: 'rotateWebhookSecret',
    summary: 'Give an endpoint a new secret',
    description:
      'The secret before it signs too for 24 hours: `webhook-signature` has one signature for each. A second rotation within that time ends the first secret.',
  })
  @ApiOkResponse({
    description: 'The endpoint, with its new secret.',
    type: WebhookEndpointWithSecret,
    example: { ...exampleWithSecret, previous_secret_until: '2026-11-23T10:00:00.000000+00:00' },
  })
  async rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(caller, id);
  }

  @Post(':id/verify')
  @HttpCode(200)
  @Endpoint({
    id: 'verifyWebhookEndpoint',
    summary: 'Send a challenge',
    description:
      'Sends a message of the type `data_import.webhook_verification-v1` at once. A receiver that answers with 2xx and the JSON object `{"challenge": "<data.challenge>"}` gets events from then on, those since the creation of the endpoint first. With the tests at most 10 a minute for an organisation.',
    errors: ['quota_reached'],
  })
  @ApiOkResponse({
    description: 'The result of the attempt. Its status is the one of the receiver.',
    type: WebhookVerificationResult,
    example: exampleVerification,
  })
  async verify(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookVerificationResult> {
    return this.tests.verify(caller, id);
  }

  @Post(':id/test')
  @HttpCode(200)
  @Endpoint({
    id: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description:
      'Sends one event of the type `data_import.webhook_test-v1` at once, also to a disabled endpoint, and answers with what the receiver has made of it. With the challenges at most 10 a minute for an organisation.',
    errors: ['webhook_endpoint_not_verified', 'quota_reached'],
  })
  @ApiOkResponse({
    description: 'The result of the attempt. Its status is the one of the receiver.',
    type: WebhookTestResult,
    example: exampleTest,
  })
  async test(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookTestResult> {
    return this.tests.send(caller, id);
  }

  @Post(':id/replay')
  @HttpCode(200)
  @Endpoint({
    id: 'replayWebhookEvents',
    summary: 'Deliver events again, from a place in the feed on',
    description:
      'Events keep their ids, so that a receiver can recognise them. `now` leaves out what was not delivered. At most 20 an hour for an organisation, each over the last 1,000,000 events of the feed.',
    errors: ['validation_error', 'quota_reached'],
  })
  @ApiBody({
    type: ReplayWebhookEventsRequest,
    examples: { replay: { value: { after: 'beginning' } } },
  })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointView, example: exampleEndpoint })
  @AnswersError(400, 'The cursor is not valid.')
  async replay(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { after }: ReplayWebhookEventsRequest,
  ): Promise<WebhookEndpointView> {
    return this.endpoints.replay(caller, id, after);
  }

  @Post(':id/enable')
  @HttpCode(200)
  @Endpoint({
    id: 'enableWebhookEndpoint',
    summary: 'Enable a webhook endpoint',
    description: 'Delivery goes on where it stopped, at once. Safe to repeat.',
    errors: ['quota_reached'],
  })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointView, example: exampleEndpoint })
  async enable(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.enable(caller, id);
  }

  @Post(':id/disable')
  @HttpCode(200)
  @Endpoint({
    id: 'disableWebhookEndpoint',
    summary: 'Disable a webhook endpoint',
    description: 'Events that occur meanwhile are delivered once it is enabled again. Safe to repeat.',
  })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointView, example: exampleDisabled })
  async disable(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.disable(caller, id);
  }
}
