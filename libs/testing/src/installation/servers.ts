import { join } from 'node:path';
import { Client } from 'pg';
import { newRedisDatabase, type TestedBackend } from '../backends';
import { EmbeddedPostgres } from '@portage/local-environment';
import { applicationUrl, newDatabase, SUPPLIER_TEMPLATE } from '../template-database';
import { Guard } from './guard';
import { Pooler } from './pooler';
import { type RedisNeeds, RedisServers } from './redis-servers';
import { ReplicatedPostgres, type Replication } from './standby';

/** The role of the programs, as in production. The tests themselves connect as the owner of the tables. */
const APPLICATION = { role: 'portage_app', password: 'application' };
const DATABASE = 'portage';
const PASSWORD = 'test';

/** A PostgreSQL server of an installation's own. By default it is the embedded one, with fsync as in production. */
export interface PostgresNeeds {
  /** The directory of the programs of another PostgreSQL, such as one of Debian's packages. */
  binaries?: string;
  /** Settings of the server, as in `-c name=value`. */
  settings?: Record<string, string>;
  /** A standby that streams from the server. The programs know both by one DATABASE_URL. */
  standby?: Replication;
  /** PgBouncer in transaction mode before the server, with these settings. */
  pooler?: Readonly<Record<string, string>>;
  /**
   * Changes the server before its database exists, such as for TLS or a tablespace.
   *
   * @returns what replaces the URL of a database; undefined for no change
   */
  prepare?: (server: EmbeddedPostgres, directory: string) => Promise<((url: string) => string) | undefined>;
}

/** An existing database for an installation. */
export interface Database {
  /** The owner of its tables, as whom the test reads and migrates. */
  ownerUrl: string;
  /** What the programs use. */
  url: string;
  /** A key of the organisation, if the database is migrated and has a supplier. */
  apiKey?: string;
}

export interface ServerNeeds {
  /** Where the queues are. */
  backend: TestedBackend;
  /** A server of its own. Default: a database with a supplier, on the server of this run of jest. */
  postgres?: PostgresNeeds;
  /** An existing database, instead of `postgres`. */
  database?: Database;
  /** Redis of its own. Default: a server with a PostgreSQL of its own, else a database of the server of this run of jest. */
  redis?: RedisNeeds;
  /** An existing Redis, instead of `redis`. */
  redisUrl?: string | undefined;
}

/** The PostgreSQL and the Redis of one installation. */
export class Servers {
  database: Database = { ownerUrl: '', url: '' };
  postgres: EmbeddedPostgres | undefined;
  standby: ReplicatedPostgres | undefined;
  pooler: Pooler | undefined;
  redis: RedisServers | undefined;
  redisUrl: string | undefined;
  private guard: Guard | undefined;

  private constructor() {
    // Created by start() alone.
  }

  /** @throws Error after what has started is stopped again */
  static async start(needs: ServerNeeds, directory: string): Promise<Servers> {
    const servers = new Servers();
    try {
      if (needs.database) servers.database = needs.database;
      else if (needs.postgres) await servers.startPostgres(needs.postgres, directory);
      else await servers.useRun();
      await servers.startRedis(needs);
      return servers;
    } catch (error) {
      await servers.stop();
      throw error;
    }
  }

  /** The settings of the programs that lead to these servers. */
  get env(): NodeJS.ProcessEnv {
    const { url } = this.database;
    return {
      DATABASE_URL: this.pooler ? this.pooler.through(url) : url,
      ...(this.pooler && { DIRECT_DATABASE_URL: url }),
      ...(this.redisUrl && { REDIS_URL: this.redisUrl }),
    };
  }

  async stop(): Promise<void> {
    await this.pooler?.stop();
    await this.standby?.stop();
    this.redis?.stop();
    await this.postgres?.stop('immediate');
    await this.guard?.stop();
  }

  private async useRun(): Promise<void> {
    const ownerUrl = await newDatabase(SUPPLIER_TEMPLATE);
    const apiKey = process.env['PORTAGE_TEST_API_KEY']!;
    this.database = { ownerUrl, url: applicationUrl(ownerUrl), apiKey };
  }

  private async startPostgres(needs: PostgresNeeds, directory: string): Promise<void> {
    const { binaries, settings } = needs;
    this.guard = new Guard(directory);
    const server = await EmbeddedPostgres.start({
      dataDirectory: join(directory, 'postgres'),
      password: PASSWORD,
      ...(binaries !== undefined && { binaries }),
      ...(settings && { settings }),
    });
    this.postgres = server;
    const change = (await needs.prepare?.(server, directory)) ?? ((url: string) => url);
    await createDatabase(change(server.url()));
    this.database = {
      ownerUrl: change(server.url(DATABASE)),
      url: change(server.urlAs(APPLICATION.role, APPLICATION.password, DATABASE)),
    };
  }

  /** What needs the roles and the tables of a migrated database. */
  async afterMigration({ standby, pooler }: PostgresNeeds, directory: string): Promise<void> {
    if (standby) this.standby = await ReplicatedPostgres.addStandby(this.postgres!, directory, standby);
    if (pooler) this.pooler = await Pooler.start(this.database.url, pooler);
  }

  private async startRedis({ backend, postgres, redis, redisUrl }: ServerNeeds): Promise<void> {
    if (backend !== 'redis') return;
    if (redisUrl !== undefined) this.redisUrl = redisUrl;
    else if (redis ?? postgres) {
      this.redis = await RedisServers.start(redis);
      this.redisUrl = this.redis?.url;
    } else this.redisUrl = await newRedisDatabase(backend);
  }
}

/** Creates the database of an installation, unless its server was prepared with one. */
async function createDatabase(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
