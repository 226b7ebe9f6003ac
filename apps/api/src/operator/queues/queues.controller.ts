import { Controller, Get, Param, Post } from '@nestjs/common';
import { type QueueView, ViewQueues, ViewWorkers, type WorkerView } from '@portage/importing';
import { DescribePause, DescribeQueues, DescribeResume, DescribeWorkers } from './queues.openapi';

/** Queues and workers. */
@Controller('operator/v1')
export class OperatorQueuesController {
  constructor(
    private readonly queues: ViewQueues,
    private readonly heartbeats: ViewWorkers,
  ) {}

  @Get('queues')
  @DescribeQueues()
  async list(): Promise<{ items: QueueView[] }> {
    return { items: await this.queues.list() };
  }

  @Get('workers')
  @DescribeWorkers()
  async workers(): Promise<{ items: WorkerView[] }> {
    return { items: await this.heartbeats.workers() };
  }

  @Post('queues/:name/pause')
  @DescribePause()
  async pause(@Param('name') name: string): Promise<QueueView> {
    return this.queues.pause(name);
  }

  @Post('queues/:name/resume')
  @DescribeResume()
  async resume(@Param('name') name: string): Promise<QueueView> {
    return this.queues.resume(name);
  }
}
