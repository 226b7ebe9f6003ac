import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type ClientBase, DatabaseError } from 'pg';
import { CONFIG } from '../../config/config.module';
import type { Config } from '../../config/config';
import { openClient } from '../../connections/server-client';
import { Logger } from '../../observability/logger';
import { Database } from './database';
import { SESSION_SETTINGS } from './session-settings';

/** A pooler between this program and PostgreSQL breaks what the program relies on. The message says how to mend it. */
export class UnsuitablePooler extends Error {
  override readonly name = 'UnsuitablePooler';
}

/** A pooler may give a connection the session that it had before; then the check says nothing. */
const MAX_TRIES = 5;
const PREPARED = { name: 'check-prepared-statements', text: 'SELECT pg_backend_pid() AS pid' };
const INVALID_STATEMENT_NAME = '26000';

/**
 * Checks at the start what a pooler in transaction mode (PgBouncer) breaks, so that a wrong configuration does not show
 * as lost notifications, slow plans or failing statements later. Says nothing about a database that cannot be reached.
 */
@Injectable()
export class PoolerCheck implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>,
  ) {}

  /** @throws UnsuitablePooler */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      if (error instanceof UnsuitablePooler) throw error;
      this.logger.debug('The pooler of the database could not be checked.', { error });
    }
  }

  private async check(): Promise<void> {
    const { DIRECT_DATABASE_URL } = this.config;
    if (DIRECT_DATABASE_URL === undefined) {
      if (await this.database.withClient(isPooled))
        this.logger.warn(
          'DATABASE_URL leads to a pooler. In transaction mode it loses the notifications for which this program listens. Name the database itself in DIRECT_DATABASE_URL and run npm run migrate.',
        );
      return;
    }
    await requireDirect(DIRECT_DATABASE_URL);
    await this.database.withClient(requireSettings);
    await this.requirePreparedStatements();
  }

  private async requirePreparedStatements(): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1)
      if (
        await this.database.withClient(async (one) =>
          this.database.withClient(async (other) => swap(one, other)),
        )
      )
        return;
  }
}

/** True if the statement that `one` has prepared was performed in another session than the one it was prepared in. */
async function swap(one: ClientBase, other: ClientBase): Promise<boolean> {
  const before = await one.query<{ pid: number }>(PREPARED);
  await other.query('BEGIN');
  try {
    await other.query('SELECT 1');
    const after = await one.query<{ pid: number }>(PREPARED);
    return before.rows[0]?.pid !== after.rows[0]?.pid;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === INVALID_STATEMENT_NAME)
      throw new UnsuitablePooler(
        'The pooler of DATABASE_URL forgets prepared statements. With PgBouncer 1.21 or later set max_prepared_statements, such as to 500.',
        { cause: error },
      );
    throw error;
  } finally {
    await other.query('ROLLBACK');
  }
}

/** A pooler makes up the process id by which a client can cancel its statements. */
async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}

async function requireDirect(url: string): Promise<void> {
  const client = await openClient(url, 'portage pooler check');
  client.on('error', () => undefined);
  try {
    if (await isPooled(client))
      throw new UnsuitablePooler(
        'DIRECT_DATABASE_URL leads to a pooler. It has to name PostgreSQL itself: notifications and the queue in PostgreSQL need sessions of their own.',
      );
  } finally {
    await client.end();
  }
}

async function requireSettings(client: ClientBase): Promise<void> {
  const names = Object.keys(SESSION_SETTINGS);
  const { rows } = await client.query<{ name: string; value: string }>(
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  const wrong = rows.filter(({ name, value }) => value !== String(SESSION_SETTINGS[name]));
  if (wrong.length > 0)
    throw new UnsuitablePooler(
      `The sessions behind the pooler of DATABASE_URL have other settings than they need: ${wrong
        .map(({ name, value }) => `${name} is ${value}`)
        .join(
          ', ',
        )}. Run npm run migrate with DIRECT_DATABASE_URL, which stores them with the role, and then have the pooler open its sessions anew (RECONNECT in PgBouncer's console).`,
    );
}
