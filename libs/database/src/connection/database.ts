import { Injectable } from '@nestjs/common';
import { noTracing, type SpanOptions, Tracing } from '@portage/observability';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { translated } from './database-unavailable';

/**
 * A statement of the hot path. Its name lets each connection plan it once; TypeORM's own `query` is planned every
 * time (0.6 times as fast).
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const STATEMENT: SpanOptions = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } };

/** Runs statements, on the pool or inside a transaction. */
export interface Executor {
  run<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

/** Prepared statements on the connections that TypeORM holds, so that a process has one pool. */
@Injectable()
export class Database implements Executor {
  private hasBeenMigrated = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tracing: Tracing = noTracing,
  ) {}

  async run<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.tracing.part(statement.name, STATEMENT, async () =>
      rowsOf<Row>(this.pool, statement, values),
    );
  }

  /**
   * Runs `work` in one transaction, which is rolled back when `work` throws anything.
   *
   * A connection that failed to roll back is thrown away rather than returned to the pool.
   */
  async transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw translated(error);
    });
    let broken: Error | undefined;
    // Between two statements nobody else listens to the connection, and an error that nobody hears ends the process.
    const lost = (error: Error) => {
      broken = error;
    };
    client.on('error', lost);
    try {
      await client.query('BEGIN').catch((error: unknown) => {
        throw translated(error);
      });
      const result = await work(executorOn(client, this.tracing));
      await client.query('COMMIT').catch((error: unknown) => {
        throw translated(error);
      });
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: unknown) => {
        broken = failure instanceof Error ? failure : new Error('The rollback failed.');
      });
      throw error;
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  }

  /** Answers whether every migration that this release knows has run. Once it has, nobody is asked again. */
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

  /** Answers whether the database can be asked, within the time that a connection may take. */
  async isReachable(): Promise<boolean> {
    try {
      await this.pool.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  /** Connections that run something and that do not, and statements for which there is none. */
  get connections(): { active: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

function executorOn(client: PoolClient, tracing: Tracing): Executor {
  return {
    run: async <Row extends QueryResultRow>(statement: Statement, values: readonly unknown[]) =>
      tracing.part(statement.name, STATEMENT, async () => rowsOf<Row>(client, statement, values)),
  };
}

async function rowsOf<Row extends QueryResultRow>(
  on: Pick<Pool, 'query'>,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    return (await on.query<Row>({ ...statement, values: [...values] })).rows;
  } catch (error) {
    throw translated(error);
  }
}
