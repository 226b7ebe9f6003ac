import { Controller, Get, Res } from '@nestjs/common';
import { Database } from '@portage/database';
import { Queues } from '@portage/queues';
import type { FastifyReply } from 'fastify';
import { DescribeLive, DescribeReady } from './operations.openapi';
import { Draining } from './draining';

type Check = 'up' | 'down';

/** Serves liveness and readiness of this instance. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly draining: Draining,
  ) {}

  @Get('live')
  @DescribeLive()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /**
   * Readiness does not depend on the queue: while it is unreachable, accounts are accepted and enqueued later. The
   * answer reports its state.
   */
  @Get('ready')
  @DescribeReady()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const [database, migrations, queue] = await Promise.all([
      this.database.isReachable(),
      this.database.isMigrated(),
      this.queues.isReachable(),
    ]);
    const up = (isUp: boolean): Check => (isUp ? 'up' : 'down');
    const checks = {
      database: up(database),
      migrations: up(migrations),
      queue: up(queue),
      backend: this.queues.backend,
    };
    if (database && migrations && !this.draining.hasStarted)
      return { status: queue ? 'ok' : 'degraded', ...checks };
    void reply.status(503).header('Retry-After', '2');
    return {
      code: 'unavailable',
      detail: this.reason(database),
      ...checks,
    };
  }

  private reason(isDatabaseUp: boolean): string {
    if (this.draining.hasStarted) return 'This instance is stopping.';
    return isDatabaseUp
      ? 'The database has not been migrated to this release.'
      : 'The database cannot be reached.';
  }
}
