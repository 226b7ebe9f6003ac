import { types } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Config } from '../config/config';
import { parseDatabaseUrl } from '../config/database-url';
import { clientClass } from '../connections/server-client';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE, sessionOptions } from '../connections/session-limits';
import { migrations } from './migrations';
import { readTimestampsAsText } from './schema/columns';
import { PostgresNamingStrategy } from './schema/naming-strategy';
import { SESSION_SETTINGS } from './connection/session-settings';

type TypeOid = Parameters<typeof types.getTypeParser>[0];

/** Returns timestamps as the text that PostgreSQL wrote, with microseconds. pg parses all other types. */
export const rowTypes = {
  getTypeParser: ((oid: TypeOid, format?: 'text' | 'binary') =>
    oid === types.builtins.TIMESTAMPTZ
      ? (value: string) => value
      : (types.getTypeParser(oid, format) as unknown)) as typeof types.getTypeParser,
};

/** The settings that a connection depends on. */
export type DatabaseSettings = Pick<
  Config,
  'DATABASE_URL' | 'DATABASE_POOL' | 'DATABASE_STATEMENT_TIMEOUT_MS'
> &
  Partial<Pick<Config, 'DIRECT_DATABASE_URL'>>;

/**
 * Options of the one TypeORM data source of a process. Migrations are listed, never run at boot.
 * The entities are those of the subjects, which register them with Nest.
 *
 * @param report is called for each connection that is lost while idle; without it, such an error ends the
 *   process
 */
export function dataSourceOptions(
  config: DatabaseSettings,
  report: (error: unknown) => void,
): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    // The clients choose the host.
    url: parseDatabaseUrl(config.DATABASE_URL).urls[0],
    migrations,
    namingStrategy: new PostgresNamingStrategy(),
    synchronize: false,
    logging: false,
    poolSize: config.DATABASE_POOL,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'portage',
    poolErrorHandler: report,
    extra: {
      ...KEEP_ALIVE,
      Client: clientClass(config.DATABASE_URL, config.DATABASE_STATEMENT_TIMEOUT_MS),
      types: rowTypes,
      // A pooler accepts no settings: see roleSettings.
      ...(config.DIRECT_DATABASE_URL === undefined && {
        options: sessionOptions(SESSION_SETTINGS),
        statement_timeout: config.DATABASE_STATEMENT_TIMEOUT_MS,
      }),
    },
  };
}

/** Connects. Entities have their timestamps as text, see {@link readTimestampsAsText}. */
export async function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = await new DataSource(options).initialize();
  readTimestampsAsText(dataSource);
  return dataSource;
}
