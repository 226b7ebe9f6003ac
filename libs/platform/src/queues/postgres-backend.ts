import {
  assertSchemaCompatibility,
  type BackendFactory,
  PostgresConnection,
  PostgresQueueBackend,
} from 'bullmq';
import type { Pool } from 'pg';
import { rememberSuccess } from '../values/remember-success';

/**
 * Builds the backends of queues and workers on a pool. They share one check of BullMQ's schema, which is repeated after a
 * failure. BullMQ's own check is made once for each of them, and a failure remembered: a queue that is built while
 * PostgreSQL is away would fail for as long as the program runs.
 */
export function postgresBackends(pool: Pool): BackendFactory<PostgresQueueBackend> {
  const checkSchema = rememberSuccess(async () => assertSchemaCompatibility(pool));
  return (name, options, { withBlockingConnection } = {}) =>
    new CheckedBackend(
      new CheckedConnection(pool, checkSchema),
      name,
      { ...options, connection: pool },
      true,
      // The name of a worker's connection, by which BullMQ lists workers.
      withBlockingConnection ? name : undefined,
    );
}

class CheckedConnection extends PostgresConnection {
  constructor(
    pool: Pool,
    private readonly checkSchema: () => Promise<unknown>,
  ) {
    super(pool);
  }

  override async waitUntilReady(): Promise<void> {
    await this.checkSchema();
  }
}

class CheckedBackend extends PostgresQueueBackend {
  override async waitUntilReady(): Promise<void> {
    await this.connection.waitUntilReady();
    // BullMQ remembers the result of this, which cannot fail any more.
    await super.waitUntilReady();
  }
}
