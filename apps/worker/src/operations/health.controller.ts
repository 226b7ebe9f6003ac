import { Controller, Get, Inject, Res } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Database } from '@portage/database';
import { QueueBackend } from '@portage/queues';
import type { FastifyReply } from 'fastify';
import { QueueConsumers } from '../processors/queue-consumers';

/** Whether this worker lives, and whether it takes jobs. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly queues: QueueBackend,
    private readonly consumers: QueueConsumers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const [database, queue] = await Promise.all([
      this.database.isReachable(),
      this.queues.isReachable(this.config.ENQUEUE_TIMEOUT_MS),
    ]);
    const consuming = this.consumers.areRunning;
    const up = (is: boolean) => (is ? 'up' : 'down');
    const checks = {
      database: up(database),
      queue: up(queue),
      consumers: up(consuming),
      backend: this.queues.kind,
    };
    if (database && queue && consuming) return { status: 'ok', ...checks };
    void reply.status(503).header('Retry-After', '2');
    return { code: 'unavailable', detail: 'This worker cannot take jobs just now.', ...checks };
  }
}
