import { Controller, Get, Inject, Res } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Database } from '@portage/database';
import { QueueBackend } from '@portage/queues';
import type { FastifyReply } from 'fastify';
import { ConsumerLiveness } from './consumer-liveness';
import { QueueConsumers } from '../processors/queue-consumers';

/** Whether this worker lives, and whether it takes jobs. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly queues: QueueBackend,
    private readonly consumers: QueueConsumers,
    private readonly consumption: ConsumerLiveness,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('live')
  live(@Res({ passthrough: true }) reply: FastifyReply): object {
    const { stuck } = this.consumption;
    if (stuck.length === 0) return { status: 'ok' };
    void reply.status(503);
    return { code: 'unavailable', detail: 'This worker has stopped taking jobs.', stuck };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const [database, migrations, queue] = await Promise.all([
      this.database.isReachable(),
      this.database.isMigrated(),
      this.queues.isReachable(this.config.ENQUEUE_TIMEOUT_MS),
    ]);
    const consuming = this.consumers.areRunning;
    const up = (is: boolean) => (is ? 'up' : 'down');
    const checks = {
      database: up(database),
      migrations: up(migrations),
      queue: up(queue),
      consumers: up(consuming),
      backend: this.queues.kind,
    };
    if (database && migrations && queue && consuming) return { status: 'ok', ...checks };
    void reply.status(503).header('Retry-After', '2');
    return { code: 'unavailable', detail: 'This worker cannot take jobs just now.', ...checks };
  }
}
