import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database, Queues } from '@portage/platform';
import type { FastifyReply } from 'fastify';
import { Endpoint } from '../http/endpoint';
import { AnswersError } from '../openapi/errors.dto';
import { Draining } from './draining';
import { Liveness, Readiness, Unreadiness } from './health.dto';

/** How old the checks of an answer may be. Everybody may ask, and each check is a statement. */
const MAX_AGE_MS = 1_000;

interface Checks {
  database: boolean;
  migrations: boolean;
  queue: boolean;
}

/** Serves liveness and readiness of this instance. */
@ApiTags('Operations')
@Controller('health')
export class HealthController {
  /** True once the database of this release was seen. */
  private hasBeenReady = false;

  private checks: Promise<Checks> | undefined;
  private checkedAt = -Infinity;

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
   * Readiness tells whether this instance should get requests instead of another one. The database and the queue are those
   * of all instances, so that an instance that was ready stays ready while they are away: without any instance, suppliers
   * would get no answer in place of 503 with Retry-After. The answer reports their state.
   */
  @Get('ready')
  @Endpoint({
    id: 'readReadiness',
    summary: 'Readiness',
    description:
      'Checks the database, its migrations and the queue. An instance is ready once the database has been migrated to its release, until it stops. While the queue is away the status is `degraded`: accounts are accepted and enqueued later. It is `degraded` too while the database is away: requests get 503 with `Retry-After`.',
  })
  @ApiOkResponse({
    description: 'The instance can take requests.',
    type: Readiness,
    example: { status: 'ok', database: 'up', migrations: 'up', queue: 'up', backend: 'postgres' },
  })
  @AnswersError(503, 'The instance cannot take requests.', Unreadiness)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness | Unreadiness> {
    const { database, migrations, queue } = await this.check();
    const up = (isUp: boolean) => (isUp ? ('up' as const) : ('down' as const));
    const checks = {
      database: up(database),
      migrations: up(migrations),
      queue: up(queue),
      backend: this.queues.backend,
    };
    const isUp = database && migrations;
    this.hasBeenReady ||= isUp;
    if (this.hasBeenReady && !this.draining.hasStarted)
      return { status: isUp && queue ? 'ok' : 'degraded', ...checks };
    void reply.status(503).header('Retry-After', '2');
    return {
      code: 'unavailable',
      detail: this.reason(database),
      ...checks,
    };
  }

  /** The state of the services, which requests at the same time share. */
  private async check(): Promise<Checks> {
    if (this.checks && performance.now() - this.checkedAt < MAX_AGE_MS) return this.checks;
    this.checkedAt = performance.now();
    this.checks = Promise.all([
      this.database.isReachable(),
      this.database.isMigrated(),
      this.queues.isReachable(),
    ]).then(([database, migrations, queue]) => ({ database, migrations, queue }));
    return this.checks;
  }

  private reason(isDatabaseUp: boolean): string {
    if (this.draining.hasStarted) return 'This instance is stopping.';
    return isDatabaseUp
      ? 'The database has not been migrated to this release.'
      : 'The database cannot be reached.';
  }
}
