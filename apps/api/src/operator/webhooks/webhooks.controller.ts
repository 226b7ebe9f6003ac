import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import {
  ActingOperator,
  type Page,
  TestWebhook,
  ViewSuppliers,
  type WebhookAttemptView,
  WebhookEndpoints,
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
  type WebhookTestResult,
} from '@portage/importing';
import { requireBody } from '../../http/json-body';
import { readBody, readQuery, requireTyped } from '../read-input';
import {
  DescribeAttempts,
  DescribeCreateWebhook,
  DescribeDeleteWebhook,
  DescribeDisable,
  DescribeEnable,
  DescribeReplay,
  DescribeRotateSecret,
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

  @Post('suppliers/:code/webhooks')
  @DescribeCreateWebhook()
  async create(
    @Param('code') code: string,
    @Body() body: Record<string, unknown> | undefined,
  ): Promise<WebhookEndpointWithSecret> {
    const fields = readBody(body, (reader, members) => {
      reader.only('url', 'types', 'description');
      return members;
    });
    const organisationId = await this.suppliers.organisationOf(code);
    const { actor } = this.operator;
    return this.endpoints.create({ organisationId, actor }, { ...fields, import_supplier: code });
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

  @Get('webhooks/:id/attempts')
  @DescribeAttempts()
  async attempts(
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
  ): Promise<Page<WebhookAttemptView>> {
    const { limit, before } = readQuery(query, (reader) => ({
      ...{ limit: reader.page().limit, before: reader.id('cursor') },
    }));
    const attempts = await this.endpoints.listAttempts(this.manager, id, { limit, before });
    return { items: attempts, next_cursor: attempts.length < limit ? null : (attempts.at(-1)?.id ?? null) };
  }

  @Post('webhooks/:id/rotate-secret')
  @DescribeRotateSecret()
  async rotateSecret(@Param('id') id: string): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(this.manager, id);
  }

  @Delete('webhooks/:id')
  @DescribeDeleteWebhook()
  async delete(@Param('id') id: string, @Body() body: Record<string, unknown> | undefined): Promise<void> {
    const typed = readBody(body, (reader) => {
      reader.only('confirm');
      return reader.text('confirm');
    });
    await this.endpoints.show(this.manager, id);
    requireTyped(typed, id, 'the id of the endpoint');
    await this.endpoints.delete(this.manager, id);
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
