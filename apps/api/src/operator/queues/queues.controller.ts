import { Controller, Get, Post } from '@nestjs/common';
import { DescribePause, DescribeQueues, DescribeResume, DescribeWorkers } from './queues.openapi';

/** Queues and workers. */
@Controller('operator/v1')
export class OperatorQueuesController {
  @Get('queues')
  @DescribeQueues()
  list(): never {
    throw new Error('Not implemented.');
  }

  @Get('workers')
  @DescribeWorkers()
  workers(): never {
    throw new Error('Not implemented.');
  }

  @Post('queues/:name/pause')
  @DescribePause()
  pause(): never {
    throw new Error('Not implemented.');
  }

  @Post('queues/:name/resume')
  @DescribeResume()
  resume(): never {
    throw new Error('Not implemented.');
  }
}
