import { Controller, Get, Post } from '@nestjs/common';
import {
  DescribeDisable,
  DescribeEnable,
  DescribeReplay,
  DescribeTest,
  DescribeWebhook,
  DescribeWebhooks,
} from './webhooks.openapi';

/** Webhook endpoints of all suppliers. */
@Controller('operator/v1')
export class OperatorWebhooksController {
  @Get('suppliers/:code/webhooks')
  @DescribeWebhooks()
  list(): never {
    throw new Error('Not implemented.');
  }

  @Get('webhooks/:id')
  @DescribeWebhook()
  read(): never {
    throw new Error('Not implemented.');
  }

  @Post('webhooks/:id/enable')
  @DescribeEnable()
  enable(): never {
    throw new Error('Not implemented.');
  }

  @Post('webhooks/:id/disable')
  @DescribeDisable()
  disable(): never {
    throw new Error('Not implemented.');
  }

  @Post('webhooks/:id/replay')
  @DescribeReplay()
  replay(): never {
    throw new Error('Not implemented.');
  }

  @Post('webhooks/:id/test')
  @DescribeTest()
  test(): never {
    throw new Error('Not implemented.');
  }
}
