import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
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
  CreateWebhookRequest,
  ReplayWebhookEventsRequest,
} from '../../webhook-endpoints/webhook-endpoints.dto';
import { DeleteWebhookRequest, WebhookAttemptPage, WebhookAttemptsQuery, WebhookList } from './webhooks.dto';

/** Webhook endpoints of all suppliers. */
@Controller('operator/v1')
export class OperatorWebhooksController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly tests: TestWebhook,
    private readonly suppliers: ViewSuppliers,
    private readonly operator: ActingOperator,
  ) {}

  @Get('suppliers/:code/webhooks')
  @OperatorEndpoint('viewer')
  async list(@Param('code') code: string): Promise<WebhookList> {
    const organisationId = await this.suppliers.organisationOf(code);
    return { items: await this.endpoints.list(organisationId, code) };
  }

  /** It gets the events from now on, once it is verified. The secret is shown here only. */
  @Post('suppliers/:code/webhooks')
  @OperatorEndpoint('operator', 201)
  async create(
    @Param('code') code: string,
    @Body() fields: CreateWebhookRequest,
  ): Promise<WebhookEndpointWithSecret> {
    const organisationId = await this.suppliers.organisationOf(code);
    const { actor } = this.operator;
    return this.endpoints.create({ organisationId, actor }, { ...fields, import_supplier: code });
  }

  @Get('webhooks/:id')
  @OperatorEndpoint('viewer')
  async read(@Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.show(this.manager, id);
  }

  @Get('webhooks/:id/attempts')
  @OperatorEndpoint('viewer')
  async attempts(
    @Param('id') id: string,
    @Query() { limit, cursor: before }: WebhookAttemptsQuery,
  ): Promise<WebhookAttemptPage> {
    const attempts = await this.endpoints.listAttempts(this.manager, id, { limit, before });
    return { items: attempts, next_cursor: attempts.length < limit ? null : (attempts.at(-1)?.id ?? null) };
  }

  /** The secret is shown here only. The one before it signs too for 24 hours. */
  @Post('webhooks/:id/rotate-secret')
  @OperatorEndpoint('operator')
  async rotateSecret(@Param('id') id: string): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(this.manager, id);
  }

  @Delete('webhooks/:id')
  @OperatorEndpoint('operator', 204)
  async delete(@Param('id') id: string, @Body() { confirm }: DeleteWebhookRequest): Promise<void> {
    await this.endpoints.show(this.manager, id);
    requireConfirmation(confirm, id, 'the id of the endpoint');
    await this.endpoints.delete(this.manager, id);
  }

  /** Delivery goes on where it stopped. Safe to repeat. */
  @Post('webhooks/:id/enable')
  @OperatorEndpoint('operator')
  async enable(@Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.enable(this.manager, id);
  }

  /** Its events wait until it is enabled. Safe to repeat. */
  @Post('webhooks/:id/disable')
  @OperatorEndpoint('operator')
  async disable(@Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.disable(this.manager, id);
  }

  @Post('webhooks/:id/replay')
  @OperatorEndpoint('operator')
  async replay(
    @Param('id') id: string,
    @Body() { after }: ReplayWebhookEventsRequest,
  ): Promise<WebhookEndpointView> {
    return this.endpoints.replay(this.manager, id, after);
  }

  @Post('webhooks/:id/verify')
  @OperatorEndpoint('operator')
  async verify(@Param('id') id: string): Promise<WebhookVerificationResult> {
    return this.tests.verify(this.manager, id);
  }

  @Post('webhooks/:id/test')
  @OperatorEndpoint('operator')
  async test(@Param('id') id: string): Promise<WebhookTestResult> {
    return this.tests.send(this.manager, id);
  }

  /** Operators manage the endpoints of all organisations. */
  private get manager(): { organisationId: undefined; actor: string } {
    return { organisationId: undefined, actor: this.operator.actor };
  }
}
