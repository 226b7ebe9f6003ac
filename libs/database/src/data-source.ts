import { type Config, parseDatabaseUrl } from '@portage/config';
import { KEEP_ALIVE, sessionOptions } from '@portage/connections';
import { types } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { FirstSchema1795219200000 } from './migrations/1795219200000-first-schema';
import { OperatorRules1795219260000 } from './migrations/1795219260000-operator-rules';
import { WholeAccount1795305600000 } from './migrations/1795305600000-whole-account';
import { AccountRequests1795305660000 } from './migrations/1795305660000-account-requests';
import { UnsettledDocuments1795305720000 } from './migrations/1795305720000-unsettled-documents';
import { RateLimits1795305780000 } from './migrations/1795305780000-rate-limits';
import { Audit1795306000000 } from './migrations/1795306000000-audit';
import { DataProtection1795306060000 } from './migrations/1795306060000-data-protection';
import { ImportProcessCounts1795306120000 } from './migrations/1795306120000-import-process-counts';
import { PayloadCompression1795306180000 } from './migrations/1795306180000-payload-compression';
import { RevokedTokenFamilies1795306900000 } from './migrations/1795306900000-revoked-token-families';
import { DocumentRoots1795392000000 } from './migrations/1795392000000-document-roots';
import { PersonalData1795392060000 } from './migrations/1795392060000-personal-data';
import { Attribution1795392120000 } from './migrations/1795392120000-attribution';
import { OrganisationFirst1795306300100 } from './migrations/1795306300100-organisation-first';
import { OrganisationFirstIndexes1795306300200 } from './migrations/1795306300200-organisation-first-indexes';
import { PayloadDigests1795331400000 } from './migrations/1795331400000-payload-digests';
import { StagedAccounts1795392180000 } from './migrations/1795392180000-staged-accounts';
import { NoteIdentity1795392300000 } from './migrations/1795392300000-note-identity';
import { Submissions1795400000000 } from './migrations/1795400000000-submissions';
import { VendorReferences1795404000000 } from './migrations/1795404000000-vendor-references';
import { ValidatedPayloads1795410000000 } from './migrations/1795410000000-validated-payloads';
import { Events1795500000000 } from './migrations/1795500000000-events';
import { Webhooks1795600000000 } from './migrations/1795600000000-webhooks';
import { OperatorViews1795710000000 } from './migrations/1795710000000-operator-views';
import { OperatorViewIndexes1795720000000 } from './migrations/1795720000000-operator-view-indexes';
import { Operators1795700000000 } from './migrations/1795700000000-operators';
import { readTimestampsAsText } from './schema/columns';
import { entities } from './entities';
import { PostgresNamingStrategy } from './schema/naming-strategy';
import { DATABASE_CONNECT_TIMEOUT_MS } from './connection/connect-timeout';
import { databaseWatch } from './connection/database-watch';
import { SESSION_SETTINGS } from './connection/session-settings';

/** All migrations, in the order in which they run. Append only. */
const migrations = [
  FirstSchema1795219200000,
  OperatorRules1795219260000,
  WholeAccount1795305600000,
  AccountRequests1795305660000,
  UnsettledDocuments1795305720000,
  RateLimits1795305780000,
  Audit1795306000000,
  DataProtection1795306060000,
  ImportProcessCounts1795306120000,
  PayloadCompression1795306180000,
  OrganisationFirst1795306300100,
  OrganisationFirstIndexes1795306300200,
  RevokedTokenFamilies1795306900000,
  PayloadDigests1795331400000,
  DocumentRoots1795392000000,
  PersonalData1795392060000,
  Attribution1795392120000,
  StagedAccounts1795392180000,
  NoteIdentity1795392300000,
  Submissions1795400000000,
  VendorReferences1795404000000,
  ValidatedPayloads1795410000000,
  Events1795500000000,
  Webhooks1795600000000,
  Operators1795700000000,
  OperatorViews1795710000000,
  OperatorViewIndexes1795720000000,
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
    entities,
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
