import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { PortageError } from '@portage/domain';
import {
  type Caller,
  TestWebhook,
  type WebhookAttemptView,
  WebhookEndpoints,
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
  type WebhookTestResult,
} from '@portage/importing';
import { CurrentCaller } from '../http/caller';
import { requireBody } from '../http/json-body';
import {
  DescribeAttempts,
  DescribeCreate,
  DescribeDelete,
  DescribeDisable,
  DescribeEnable,
  DescribeList,
  DescribeRead,
  DescribeReplay,
  DescribeRotateSecret,
  DescribeTest,
  SHOWN_ATTEMPTS,
} from './webhook-endpoints.openapi';

/** Webhook endpoints: URLs of a supplier to which the events of its feed are sent. */
@Controller('v2/data-import/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly tests: TestWebhook,
  ) {}

  @Post()
  @HttpCode(201)
  @DescribeCreate()
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.create(caller, requireBody(body));
  }

  @Get()
  @DescribeList()
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Query('supplier') supplier: unknown,
  ): Promise<WebhookEndpointView[]> {
    if (typeof supplier === 'string' && supplier !== '') return this.endpoints.list(organisationId, supplier);
    throw new PortageError('validation_error', 'A query parameter is not valid.', {
      errors: [{ attr: 'supplier', code: 'required', detail: 'supplier must be one import supplier code.' }],
    });
  }

  @Get(':id')
  @DescribeRead()
  async read(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.show(caller, id);
  }

  @Get(':id/attempts')
  @DescribeAttempts()
  async attempts(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookAttemptView[]> {
    return this.endpoints.listAttempts(caller, id, { limit: SHOWN_ATTEMPTS });
  }

  @Delete(':id')
  @HttpCode(204)
  @DescribeDelete()
  async delete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.endpoints.delete(caller, id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @DescribeRotateSecret()
  async rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(caller, id);
  }

  @Post(':id/test')
  @HttpCode(200)
  @DescribeTest()
  async test(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookTestResult> {
    return this.tests.send(caller, id);
  }

  @Post(':id/replay')
  @HttpCode(200)
  @DescribeReplay()
  async replay(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: Record<string, unknown> | undefined,
  ): Promise<WebhookEndpointView> {
    return this.endpoints.replay(caller, id, requireBody(body)['after']);
  }

  @Post(':id/enable')
  @HttpCode(200)
  @DescribeEnable()
  async enable(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.enable(caller, id);
  }

  @Post(':id/disable')
  @HttpCode(200)
  @DescribeDisable()
  async disable(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointView> {
    return this.endpoints.disable(caller, id);
  }
}
