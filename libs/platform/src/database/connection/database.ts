import { Injectable } from '@nestjs/common';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner, TypeORMError } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { rowObjects } from '../../connections/row-objects';
import { noTracing, type SpanOptions, Tracing } from '../../observability/tracing';
import { withArrayTexts } from './array-text';
import { cancelStatement } from './cancel-statement';
import { translateError, translateErrors } from './database-unavailable';

/**
 * Named SQL. The name makes it a prepared statement, which each connection parses and plans once; TypeORM's own
 * `query` is planned at every call (0.6 times as fast).
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const SPAN: SpanOptions = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } };

/** Named SQL and repositories, on the pool or inside a transaction. */
export interface Executor {
  /**
   * Runs a statement and returns its rows, with the columns as properties in camelCase.
   *
   * @throws DatabaseUnavailable when the database did not answer, pg's DatabaseError when it refused
   */
  run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;

  /** TypeORM's repositories and query builders. Outside of a transaction their errors need {@link translateErrors}. */
  readonly manager: EntityManager;
}

/** Named SQL and transactions on the connections of TypeORM's data source, so that a process has one pool. */
@Injectable()
export class Database implements Executor {
  private hasBeenMigrated = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tracing: Tracing = noTracing,
  ) {}

  /**
   * As {@link Executor.run}.
   *
   * @param signal cancels the statement in PostgreSQL, for a reader that may go before it has an answer
   * @throws the reason of the signal once it is aborted
   */
  async run<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<Row[]> {
    return this.tracing.inChildSpan(statement.name, SPAN, async () =>
      signal
        ? this.runCancellable<Row>(statement, values, signal)
        : rowsOf<Row>(this.pool, statement, values),
    );
  }

  /**
   * Runs `work` in one transaction. It is committed when `work` returns, and rolled back when `work` throws.
   *
   * A connection that is lost, or that fails to roll back, does not return to the pool.
   *
   * @throws the error of `work`; DatabaseUnavailable when there is no connection or it is lost
   */
  async transaction<T>(work: (transaction: Executor) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = await translateErrors(runner.connect() as Promise<PoolClient>);
      try {
        await translateErrors(runner.startTransaction());
        const result = await work({
          manager: runner.manager,
          run: async <Row extends object>(statement: Statement, values: readonly unknown[]) =>
            this.tracing.inChildSpan(statement.name, SPAN, async () =>
              rowsOf<Row>(client, statement, values),
            ),
        });
        await translateErrors(runner.commitTransaction());
        return result;
      } catch (error) {
        await rollBack(runner, client);
        throw error instanceof TypeORMError ? translateError(error) : error;
      }
    } finally {
      await runner.release();
    }
  }

  /** True once every migration of this release has run. The positive answer is cached. */
  async isMigrated(): Promise<boolean> {
    if (this.hasBeenMigrated) return true;
    try {
      const { rows } = await this.pool.query<{ name: string }>('SELECT name FROM migrations');
      const ran = new Set(rows.map(({ name }) => name));
      this.hasBeenMigrated = this.dataSource.migrations.every(({ name }) => name && ran.has(name));
      return this.hasBeenMigrated;
    } catch {
      return false;
    }
  }

  /** True if the database answers within the time that a connection may take. */
  async isReachable(): Promise<boolean> {
    try {
      await this.pool.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  /** Runs `work` with a connection of the pool. */
  async withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await translateErrors(this.pool.connect());
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  private async runCancellable<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    signal: AbortSignal,
  ): Promise<Row[]> {
    signal.throwIfAborted();
    const client = await translateErrors(this.pool.connect());
    let isRunning = true;
    let isUsable = true;
    let cancelling: Promise<void> | undefined;
    const cancel = () => {
      cancelling = cancelStatement(client, () => isRunning);
    };
    // The statement gets the error of a connection that is lost. Without a listener it would end the process as well.
    client.on('error', ignore);
    try {
      if (signal.aborted) throw signal.reason as Error;
      signal.addEventListener('abort', cancel, { once: true });
      return await rowsOf<Row>(client, statement, values);
    } catch (error) {
      isUsable = error === signal.reason || isCancelled(error);
      signal.throwIfAborted();
      throw error;
    } finally {
      isRunning = false;
      signal.removeEventListener('abort', cancel);
      // A cancellation in flight would strike the next statement of the connection.
      await cancelling;
      client.off('error', ignore);
      // As the pool does it for its own statements: the connection may be about to close.
      client.release(!isUsable);
    }
  }

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** Connections in use and idle, and statements that wait for a connection. */
  get connections(): { active: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /**
   * The pool of TypeORM's driver, which has no public accessor. It provides connections and the counts for the gauge.
   */
  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }
}

/** The state of a statement that was cancelled by a request of its client. */
const QUERY_CANCELED = '57014';

function isCancelled(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === QUERY_CANCELED;
}

function ignore(): void {
  // The statement of the connection reports the error.
}

async function rollBack(runner: QueryRunner, client: PoolClient): Promise<void> {
  try {
    await runner.rollbackTransaction();
  } catch (error) {
    // The query runner listens for errors of its connection and makes the pool discard it. This reports a connection
    // that fails to roll back in the same way.
    if (!runner.isReleased) client.emit('error', error);
  }
}

async function rowsOf<Row extends object>(
  client: Pick<Pool, 'query'>,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    return rowObjects<Row>(
      await client.query({ ...statement, values: withArrayTexts(values), rowMode: 'array' }),
    );
  } catch (error) {
    throw translateError(error);
  }
}
