import { types } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Config } from '../config/config';
import { parseDatabaseUrl } from '../config/database-url';
import { KEEP_ALIVE, sessionOptions } from '../connections/session-limits';
import { FirstSchema1796000000000 } from './migrations/1796000000000-first-schema';
import { SubmissionEventKept1796200000000 } from './migrations/1796200000000-submission-event-kept';
import { WebhookVerification1796300000000 } from './migrations/1796300000000-webhook-verification';
import { RefusedLinesOfSupplier1796300000001 } from './migrations/1796300000001-refused-lines-of-supplier';
import { QuotaIndexes1796300000002 } from './migrations/1796300000002-quota-indexes';
import { ImportCounts1796400000000 } from './migrations/1796400000000-import-counts';
import { CountSubmissionLines1796400000001 } from './migrations/1796400000001-count-submission-lines';
import { CountFollowUps1796400000002 } from './migrations/1796400000002-count-follow-ups';
import { CountExistingRows1796400000003 } from './migrations/1796400000003-count-existing-rows';
import { Warnings1796500000000 } from './migrations/1796500000000-warnings';
import { SupplierOfSupplyPoint1796500000001 } from './migrations/1796500000001-supplier-of-supply-point';
import { SupplyPointIndex1796500000002 } from './migrations/1796500000002-supply-point-index';
import { RepeatedLines1796600000000 } from './migrations/1796600000000-repeated-lines';
import { RepeatedLinesValid1796600000001 } from './migrations/1796600000001-repeated-lines-valid';
import { MeasuresOfCounts1796600000002 } from './migrations/1796600000002-measures-of-counts';
import { MeasuresOfCountChanges1796600000003 } from './migrations/1796600000003-measures-of-count-changes';
import { MeasuresOfLines1796600000004 } from './migrations/1796600000004-measures-of-lines';
import { DocumentsNotFoundYet1796600000005 } from './migrations/1796600000005-documents-not-found-yet';
import { RefusedLinesByCode1796700000011 } from './migrations/1796700000011-refused-lines-by-code';
import { CountRefusedLinesByCode1796700000012 } from './migrations/1796700000012-count-refused-lines-by-code';
import { UnsettledDocumentsOfSupplier1796700000013 } from './migrations/1796700000013-unsettled-documents-of-supplier';
import { SuppliersOfUnsettledDocuments1796700000014 } from './migrations/1796700000014-suppliers-of-unsettled-documents';
import { ActionItemIndexes1796700000015 } from './migrations/1796700000015-action-item-indexes';
import { UnfinishedOfSupplier1796900000000 } from './migrations/1796900000000-unfinished-of-supplier';
import { readTimestampsAsText } from './schema/columns';
import { PostgresNamingStrategy } from './schema/naming-strategy';
import { DATABASE_CONNECT_TIMEOUT_MS } from './connection/connect-timeout';
import { databaseWatch } from './connection/database-watch';
import { SESSION_SETTINGS } from './connection/session-settings';

/** All migrations, in the order in which they run. Append only. */
const migrations = [
  FirstSchema1796000000000,
  SubmissionEventKept1796200000000,
  WebhookVerification1796300000000,
  RefusedLinesOfSupplier1796300000001,
  QuotaIndexes1796300000002,
  ImportCounts1796400000000,
  CountSubmissionLines1796400000001,
  CountFollowUps1796400000002,
  CountExistingRows1796400000003,
  Warnings1796500000000,
  SupplierOfSupplyPoint1796500000001,
  SupplyPointIndex1796500000002,
  RepeatedLines1796600000000,
  RepeatedLinesValid1796600000001,
  MeasuresOfCounts1796600000002,
  MeasuresOfCountChanges1796600000003,
  MeasuresOfLines1796600000004,
  DocumentsNotFoundYet1796600000005,
  RefusedLinesByCode1796700000011,
  CountRefusedLinesByCode1796700000012,
  UnsettledDocumentsOfSupplier1796700000013,
  SuppliersOfUnsettledDocuments1796700000014,
  ActionItemIndexes1796700000015,
  UnfinishedOfSupplier1796900000000,
];

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
 * @param report is called for each connection that is lost while idle or silent; without it, such an error ends the
 *   process
 */
export function dataSourceOptions(
  config: DatabaseSettings,
  report: (error: unknown) => void,
): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    // The clients of the watch choose the host.
    url: parseDatabaseUrl(config.DATABASE_URL).urls[0],
    migrations,
    namingStrategy: new PostgresNamingStrategy(),
    synchronize: false,
    logging: false,
    poolSize: config.DATABASE_POOL,
    connectTimeoutMS: DATABASE_CONNECT_TIMEOUT_MS,
    applicationName: 'portage',
    poolErrorHandler: report,
    extra: {
      ...KEEP_ALIVE,
      Client: databaseWatch(config, report).Client,
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
