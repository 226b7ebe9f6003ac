import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database, Queues } from '@portage/platform';
import type { FastifyReply } from 'fastify';
import { Endpoint } from '../http/endpoint';
import { AnswersError } from '../openapi/errors.dto';
import { Draining } from './draining';
import { Liveness, Readiness, Unreadiness } from './health.dto';

/** Serves liveness and readiness of this instance. */
@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly draining: Draining,
  ) {}

  @Get('live')
  @Endpoint({
    id: 'readLiveness',
    summary: 'Liveness',
    description: 'Answers as long as the process runs. It depends on no other service.',
  })
  @ApiOkResponse({ description: 'The process is alive.', type: Liveness, example: { status: 'ok' } })
  live(): Liveness {
    return { status: 'ok' };
  }

  /**
   * Readiness does not depend on the queue: while it is unreachable, accounts are accepted and enqueued later. The
   * answer reports its state.
   */
  @Get('ready')
  @Endpoint({
    id: 'readReadiness',
    summary: 'Readiness',
    description:
      'Checks the database, its migrations and the queue. While the queue is unavailable the status is `degraded`: accounts are accepted and enqueued later.',
  })
  @ApiOkResponse({
    description: 'The instance can take requests.',
    type: Readiness,
    example: { status: 'ok', database: 'up', migrations: 'up', queue: 'up', backend: 'postgres' },
  })
  @AnswersError(503, 'The instance cannot take requests.', Unreadiness)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness | Unreadiness> {
    const [database, migrations, queue] = await Promise.all([
      this.database.isReachable(),
      this.database.isMigrated(),
      this.queues.isReachable(),
    ]);
    const up = (isUp: boolean) => (isUp ? ('up' as const) : ('down' as const));
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
