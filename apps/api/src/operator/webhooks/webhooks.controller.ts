import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import {
  ActingOperator,
  TestWebhook,
  ViewSuppliers,
  type WebhookAttemptView,
  WebhookEndpoints,
  type WebhookEndpointView,
  type WebhookTestResult,
} from '@portage/importing';
import { requireBody } from '../../http/json-body';
import {
  DescribeDisable,
  DescribeEnable,
  DescribeReplay,
  DescribeTest,
  DescribeWebhook,
  DescribeWebhooks,
  SHOWN_ATTEMPTS,
} from './webhooks.openapi';

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
  @DescribeWebhooks()
  async list(@Param('code') code: string): Promise<{ items: WebhookEndpointView[] }> {
    const organisationId = await this.suppliers.organisationOf(code);
    return { items: await this.endpoints.list(organisationId, code) };
  }

  @Get('webhooks/:id')
  @DescribeWebhook()
  async read(
    @Param('id') id: string,
  ): Promise<{ endpoint: WebhookEndpointView; attempts: WebhookAttemptView[] }> {
    const endpoint = await this.endpoints.show(this.manager, id);
    return {
      endpoint,
      attempts: await this.endpoints.listAttempts(this.manager, id, { limit: SHOWN_ATTEMPTS }),
    };
  }

  @Post('webhooks/:id/enable')
  @DescribeEnable()
  async enable(@Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.enable(this.manager, id);
  }

  @Post('webhooks/:id/disable')
  @DescribeDisable()
  async disable(@Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.disable(this.manager, id);
  }

  @Post('webhooks/:id/replay')
  @DescribeReplay()
  async replay(
    @Param('id') id: string,
    @Body() body: Record<string, unknown> | undefined,
  ): Promise<WebhookEndpointView> {
    return this.endpoints.replay(this.manager, id, requireBody(body)['after']);
  }

  @Post('webhooks/:id/test')
  @DescribeTest()
  async test(@Param('id') id: string): Promise<WebhookTestResult> {
    return this.tests.send(this.manager, id);
  }

  /** Operators manage the endpoints of all organisations. */
  private get manager(): { organisationId: undefined; actor: string } {
    return { organisationId: undefined, actor: this.operator.actor };
  }
}
