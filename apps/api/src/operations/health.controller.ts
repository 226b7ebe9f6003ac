import { Controller, Get, Inject, Res } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Database } from '@portage/database';
import { QueueBackend } from '@portage/queues';
import type { FastifyReply } from 'fastify';
import { DescribeLive, DescribeReady } from './operations.openapi';
import { Draining } from './draining';

type Check = 'up' | 'down';

/** Whether this instance lives, and whether it should be sent requests. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly queues: QueueBackend,
    private readonly draining: Draining,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('live')
  @DescribeLive()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /**
   * The queue being away does not make the API unready: accounts are accepted and enqueued later. Its state is
   * still told.
   */
  @Get('ready')
  @DescribeReady()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const [database, migrations, queue] = await Promise.all([
      this.database.isReachable(),
      this.database.isMigrated(),
      this.queues.isReachable(this.config.ENQUEUE_TIMEOUT_MS),
    ]);
    const up = (is: boolean): Check => (is ? 'up' : 'down');
    const checks = {
      database: up(database),
      migrations: up(migrations),
      queue: up(queue),
      backend: this.queues.kind,
    };
    if (database && migrations && !this.draining.hasStarted)
      return { status: queue ? 'ok' : 'degraded', ...checks };
    void reply.status(503).header('Retry-After', '2');
    return {
      code: 'unavailable',
      detail: this.whyNot(database),
      ...checks,
    };
  }

  private whyNot(isDatabaseUp: boolean): string {
    if (this.draining.hasStarted) return 'This instance is stopping.';
    return isDatabaseUp
      ? 'The database has not been migrated to this release.'
      : 'The database cannot be reached.';
  }
}
