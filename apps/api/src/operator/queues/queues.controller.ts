import { Controller, Get, Param, Post } from '@nestjs/common';
import { QueueView, OperateQueues, ViewWorkers } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { QueueList, WorkerList } from './queues.dto';

/** Queues and workers. */
@Controller('operator/v1')
export class OperatorQueuesController {
  constructor(
    private readonly queues: OperateQueues,
    private readonly heartbeats: ViewWorkers,
  ) {}

  @Get('queues')
  @OperatorEndpoint('viewer')
  async list(): Promise<QueueList> {
    return { items: await this.queues.list() };
  }

  /**
   * Each worker reports every 15 seconds. One that has stopped in order is removed at once; one that was lost is
   * listed for a day.
   */
  @Get('workers')
  @OperatorEndpoint('viewer')
  async workers(): Promise<WorkerList> {
    return { items: await this.heartbeats.workers() };
  }

  /** Jobs that are running end. Safe to repeat. */
  @Post('queues/:name/pause')
  @OperatorEndpoint('operator')
  async pause(@Param('name') name: string): Promise<QueueView> {
    return this.queues.pause(name);
  }

  /** Safe to repeat. */
  @Post('queues/:name/resume')
  @OperatorEndpoint('operator')
  async resume(@Param('name') name: string): Promise<QueueView> {
    return this.queues.resume(name);
  }
}
