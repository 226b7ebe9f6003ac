import { Controller, Get, Res } from '@nestjs/common';
import { Database, Queues } from '@portage/platform';
import type { FastifyReply } from 'fastify';
import { ConsumerLiveness } from './consumer-liveness';
import { QueueConsumers } from '../processors/queue-consumers';

/** Serves liveness and readiness of this worker. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly consumers: QueueConsumers,
    private readonly liveness: ConsumerLiveness,
  ) {}

  @Get('live')
  live(@Res({ passthrough: true }) reply: FastifyReply): object {
    const { stuck } = this.liveness;
    if (stuck.length === 0) return { status: 'ok' };
    void reply.status(503);
    return { code: 'unavailable', detail: 'This worker has stopped taking jobs.', stuck };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const [database, migrations, queue] = await Promise.all([
      this.database.isReachable(),
      this.database.isMigrated(),
      this.queues.isReachable(),
    ]);
    const areConsumersRunning = this.consumers.areRunning;
    const up = (isUp: boolean) => (isUp ? 'up' : 'down');
    const checks = {
      database: up(database),
      migrations: up(migrations),
      queue: up(queue),
      consumers: up(areConsumersRunning),
      backend: this.queues.backend,
    };
    if (database && migrations && queue && areConsumersRunning) return { status: 'ok', ...checks };
    void reply.status(503).header('Retry-After', '2');
    return { code: 'unavailable', detail: 'This worker cannot process jobs at the moment.', ...checks };
  }
}
