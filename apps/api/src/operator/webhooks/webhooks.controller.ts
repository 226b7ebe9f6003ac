import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  TestWebhook,
  WebhookEndpoints,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
  WebhookVerificationResult,
} from '@portage/events';
import { ViewSuppliers } from '@portage/operators';
import { ActingOperator } from '@portage/platform';
import { OperatorEndpoint } from '../operator-endpoint';
import { requireConfirmation } from '../require-confirmation';
import {
  exampleAttempt,
  exampleEndpoint,
  exampleTest,
  exampleVerification,
  exampleWithSecret,
} from '../../webhook-endpoints/webhook-endpoints.examples';
import {
  CreateWebhookRequest,
  ReplayWebhookEventsRequest,
} from '../../webhook-endpoints/webhook-endpoints.dto';
import {
  DeleteWebhookRequest,
  WebhookAttemptPage,
  WebhookAttemptsQuery,
  WebhookDetail,
  WebhookList,
} from './webhooks.dto';

/** The last attempts that an endpoint is shown with. */
const SHOWN_ATTEMPTS = 100;

/** Webhook endpoints of all suppliers. */
@ApiTags('Webhooks')
@Controller('operator/v1')
export class OperatorWebhooksController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly tests: TestWebhook,
    private readonly suppliers: ViewSuppliers,
    private readonly operator: ActingOperator,
  ) {}

  @Get('suppliers/:code/webhooks')
  @OperatorEndpoint({
    id: 'listWebhooks',
    role: 'viewer',
    summary: 'List the webhook endpoints of a supplier',
  })
  @ApiOkResponse({
    description: 'The endpoints.',
    type: WebhookList,
    example: { items: [exampleEndpoint] },
  })
  async list(@Param('code') code: string): Promise<WebhookList> {
    const organisationId = await this.suppliers.organisationOf(code);
    return { items: await this.endpoints.list(organisationId, code) };
  }

  @Post('suppliers/:code/webhooks')
  @OperatorEndpoint({
    id: 'createWebhook',
    role: 'operator',
    summary: 'Create a webhook endpoint',
    description: 'It gets the events from now on, once it is verified. The secret is shown here only.',
    status: 201,
    errors: ['validation_error'],
  })
  @ApiBody({
    type: CreateWebhookRequest,
    examples: { endpoint: { value: { url: 'https://hooks.example.com/portage' } } },
  })
  @ApiCreatedResponse({
    description: 'The endpoint with its secret.',
    type: WebhookEndpointWithSecret,
    example: exampleWithSecret,
  })
  async create(
    @Param('code') code: string,
    @Body() fields: CreateWebhookRequest,
  ): Promise<WebhookEndpointWithSecret> {
    const organisationId = await this.suppliers.organisationOf(code);
    const { actor } = this.operator;
    return this.endpoints.create({ organisationId, actor }, { ...fields, import_supplier: code });
  }

  @Get('webhooks/:id')
  @OperatorEndpoint({
    id: 'readWebhook',
    role: 'viewer',
    summary: 'Read an endpoint with its last attempts',
  })
  @ApiOkResponse({
    description: 'The endpoint and its last 100 attempts.',
    type: WebhookDetail,
    example: { endpoint: exampleEndpoint, attempts: [exampleAttempt] },
  })
  async read(@Param('id') id: string): Promise<WebhookDetail> {
    const endpoint = await this.endpoints.show(this.manager, id);
    return {
      endpoint,
      attempts: await this.endpoints.listAttempts(this.manager, id, { limit: SHOWN_ATTEMPTS }),
    };
  }

  @Get('webhooks/:id/attempts')
  @OperatorEndpoint({
    id: 'listWebhookAttempts',
    role: 'viewer',
    summary: 'List the attempts of the last week to deliver events, the newest first',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'A page of attempts.',
    type: WebhookAttemptPage,
    example: { items: [exampleAttempt], next_cursor: null },
  })
  async attempts(
    @Param('id') id: string,
    @Query() { limit, cursor: before }: WebhookAttemptsQuery,
  ): Promise<WebhookAttemptPage> {
    const attempts = await this.endpoints.listAttempts(this.manager, id, { limit, before });
    return { items: attempts, next_cursor: attempts.length < limit ? null : (attempts.at(-1)?.id ?? null) };
  }

  @Post('webhooks/:id/rotate-secret')
  @OperatorEndpoint({
    id: 'rotateWebhookSecret',
    role: 'operator',
    summary: 'Give an endpoint a new secret',
    description: 'The secret is shown here only. The one before it signs too for 24 hours.',
  })
  @ApiOkResponse({
    description: 'The endpoint with its secret.',
    type: WebhookEndpointWithSecret,
    example: exampleWithSecret,
  })
  async rotateSecret(@Param('id') id: string): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(this.manager, id);
  }

  @Delete('webhooks/:id')
  @OperatorEndpoint({
    id: 'deleteWebhook',
    role: 'operator',
    summary: 'Delete an endpoint',
    status: 204,
    errors: ['validation_error', 'confirmation_required'],
  })
  @ApiBody({ type: DeleteWebhookRequest, examples: { delete: { value: { confirm: '3' } } } })
  @ApiNoContentResponse({ description: 'The endpoint is deleted.' })
  async delete(@Param('id') id: string, @Body() { confirm }: DeleteWebhookRequest): Promise<void> {
    await this.endpoints.show(this.manager, id);
    requireConfirmation(confirm, id, 'the id of the endpoint');
    await this.endpoints.delete(this.manager, id);
  }

  @Post('webhooks/:id/enable')
  @OperatorEndpoint({
    id: 'enableWebhook',
    role: 'operator',
    summary: 'Enable an endpoint',
    description: 'Delivery goes on where it stopped. Safe to repeat.',
  })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointView, example: exampleEndpoint })
  async enable(@Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.enable(this.manager, id);
  }

  @Post('webhooks/:id/disable')
  @OperatorEndpoint({
    id: 'disableWebhook',
    role: 'operator',
    summary: 'Disable an endpoint',
    description: 'Its events wait until it is enabled. Safe to repeat.',
  })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointView, example: exampleEndpoint })
  async disable(@Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.disable(this.manager, id);
  }

  @Post('webhooks/:id/replay')
  @OperatorEndpoint({
    id: 'replayWebhook',
    role: 'operator',
    summary: 'Deliver events again',
    errors: ['validation_error'],
  })
  @ApiBody({ type: ReplayWebhookEventsRequest, examples: { replay: { value: { after: 'beginning' } } } })
  @ApiOkResponse({ description: 'The endpoint.', type: WebhookEndpointView, example: exampleEndpoint })
  async replay(
    @Param('id') id: string,
    @Body() { after }: ReplayWebhookEventsRequest,
  ): Promise<WebhookEndpointView> {
    return this.endpoints.replay(this.manager, id, after);
  }

  @Post('webhooks/:id/verify')
  @OperatorEndpoint({
    id: 'verifyWebhook',
    role: 'operator',
    summary: 'Send a challenge, which the receiver returns before it gets events',
  })
  @ApiOkResponse({
    description: 'What the receiver has made of it.',
    type: WebhookVerificationResult,
    example: exampleVerification,
  })
  async verify(@Param('id') id: string): Promise<WebhookVerificationResult> {
    return this.tests.verify(this.manager, id);
  }

  @Post('webhooks/:id/test')
  @OperatorEndpoint({
    id: 'testWebhook',
    role: 'operator',
    summary: 'Send a test event at once',
    errors: ['webhook_endpoint_not_verified'],
  })
  @ApiOkResponse({
    description: 'What the receiver has made of it.',
    type: WebhookTestResult,
    example: exampleTest,
  })
  async test(@Param('id') id: string): Promise<WebhookTestResult> {
    return this.tests.send(this.manager, id);
  }

  /** Operators manage the endpoints of all organisations. */
  private get manager(): { organisationId: undefined; actor: string } {
    return { organisationId: undefined, actor: this.operator.actor };
  }
}
