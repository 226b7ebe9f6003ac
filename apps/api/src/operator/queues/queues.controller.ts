import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { QueueView, OperateQueues, ViewWorkers } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { QueueList, WorkerList } from './queues.dto';
import { exampleQueue, exampleWorker } from './queues.examples';

/** Queues and workers. */
@ApiTags('Queues and workers')
@Controller('operator/v1')
export class OperatorQueuesController {
  constructor(
    private readonly queues: OperateQueues,
    private readonly heartbeats: ViewWorkers,
  ) {}

  @Get('queues')
  @OperatorEndpoint({ id: 'listQueues', role: 'viewer', summary: 'List the queues' })
  @ApiOkResponse({ description: 'All queues.', type: QueueList, example: { items: [exampleQueue] } })
  async list(): Promise<QueueList> {
    return { items: await this.queues.list() };
  }

  @Get('workers')
  @OperatorEndpoint({
    id: 'listWorkers',
    role: 'viewer',
    summary: 'List the workers',
    description:
      'Each worker reports every 15 seconds. One that has stopped in order is removed at once; one that was lost is listed for a day.',
  })
  @ApiOkResponse({
    description: 'At most 200 workers, those seen last first.',
    type: WorkerList,
    example: { items: [exampleWorker] },
  })
  async workers(): Promise<WorkerList> {
    return { items: await this.heartbeats.workers() };
  }

  @Post('queues/:name/pause')
  @OperatorEndpoint({
    id: 'pauseQueue',
    role: 'operator',
    summary: 'Pause a queue for all workers',
    description: 'Jobs that are running end. Safe to repeat.',
  })
  @ApiOkResponse({ description: 'The queue.', type: QueueView, example: { ...exampleQueue, paused: true } })
  async pause(@Param('name') name: string): Promise<QueueView> {
    return this.queues.pause(name);
  }

  @Post('queues/:name/resume')
  @OperatorEndpoint({
    id: 'resumeQueue',
    role: 'operator',
    summary: 'Resume a paused queue',
    description: 'Safe to repeat.',
  })
  @ApiOkResponse({ description: 'The queue.', type: QueueView, example: exampleQueue })
  async resume(@Param('name') name: string): Promise<QueueView> {
    return this.queues.resume(name);
  }
}
