import type { Config } from '@portage/config';
import { types } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { AccountReferenceEntity } from '../account/account-reference.entity';
import { AccountEntity } from '../account/account.entity';
import { ApiKeyEntity } from '../access/api-key.entity';
import { AuditEntryEntity } from '../audit/audit-entry.entity';
import { ChargedPeriodEntity } from '../ledger/charged-period.entity';
import { CustomerEntity } from '../account/customer.entity';
import { DebtEntity } from '../account/debt.entity';
import { ImportProcessEventEntity } from '../import-process/import-process-event.entity';
import { ImportProcessPayloadEntity } from '../import-process/import-process-payload.entity';
import { ImportProcessEntity } from '../import-process/import-process.entity';
import { ImportSupplierEntity } from '../supplier/import-supplier.entity';
import { OrganisationEntity } from '../organisation/organisation.entity';
import { ReferenceDataEntity } from '../operator-rules/reference-data.entity';
import { RefreshTokenEntity } from '../access/refresh-token.entity';
import { AccountRequestEntity } from '../account-request/account-request.entity';
import { AgreementEntity } from '../account/agreement.entity';
import { DocumentEntity } from '../document/document.entity';
import { HistoricalStatementEntity } from '../historical-statement/historical-statement.entity';
import { IdempotencyKeyEntity } from '../account-request/idempotency-key.entity';
import { LedgerEntity } from '../ledger/ledger.entity';
import { NoteEntity } from '../note/note.entity';
import { PaymentInstructionEntity } from '../payment-instruction/payment-instruction.entity';
import { StatementPeriodEntity } from '../ledger/statement-period.entity';
import { SupplyPointEntity } from '../account/supply-point.entity';
import { TransactionEntity } from '../ledger/transaction.entity';
import { WelcomeEmailEntity } from '../welcome-email/welcome-email.entity';
import { FirstSchema1795219200000 } from '../migrations/1795219200000-first-schema';
import { OperatorRules1795219260000 } from '../migrations/1795219260000-operator-rules';
import { WholeAccount1795305600000 } from '../migrations/1795305600000-whole-account';
import { AccountRequests1795305660000 } from '../migrations/1795305660000-account-requests';
import { UnsettledDocuments1795305720000 } from '../migrations/1795305720000-unsettled-documents';
import { RateLimits1795305780000 } from '../migrations/1795305780000-rate-limits';
import { Audit1795306000000 } from '../migrations/1795306000000-audit';
import { DataProtection1795306060000 } from '../migrations/1795306060000-data-protection';
import { ImportProcessCounts1795306120000 } from '../migrations/1795306120000-import-process-counts';
import { PayloadCompression1795306180000 } from '../migrations/1795306180000-payload-compression';

export const entities = [
  OrganisationEntity,
  ApiKeyEntity,
  RefreshTokenEntity,
  ImportSupplierEntity,
  ImportProcessEntity,
  ImportProcessPayloadEntity,
  ImportProcessEventEntity,
  AccountEntity,
  CustomerEntity,
  AccountReferenceEntity,
  DebtEntity,
  ChargedPeriodEntity,
  ReferenceDataEntity,
  SupplyPointEntity,
  AgreementEntity,
  LedgerEntity,
  StatementPeriodEntity,
  TransactionEntity,
  NoteEntity,
  HistoricalStatementEntity,
  DocumentEntity,
  PaymentInstructionEntity,
  WelcomeEmailEntity,
  AccountRequestEntity,
  IdempotencyKeyEntity,
  AuditEntryEntity,
];

/** In the order in which they run. Append only. */
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
];

type TypeOid = Parameters<typeof types.getTypeParser>[0];

/** Timestamps stay the text that PostgreSQL wrote, with their microseconds; everything else as pg reads it. */
const typesOfRows = {
  getTypeParser: ((oid: TypeOid, format?: 'text' | 'binary') =>
    oid === types.builtins.TIMESTAMPTZ
      ? (value: string) => value
      : (types.getTypeParser(oid, format) as unknown)) as typeof types.getTypeParser,
};

/**
 * Sessions plan each prepared statement, and each foreign-key check, once. One that is planned while its table is
 * small scans the table, and goes on doing so when there are a million rows. Every statement of ours has an index.
 */
const SESSION_SETTINGS = '-c timezone=UTC -c enable_seqscan=off -c enable_bitmapscan=off';

export type DatabaseSettings = Pick<
  Config,
  'DATABASE_URL' | 'DATABASE_POOL' | 'DATABASE_STATEMENT_TIMEOUT_MS' | 'DATABASE_CONNECT_TIMEOUT_MS'
>;

/**
 * How every process connects. Migrations are listed, never run at boot.
 *
 * @param report hears of connections that broke while they were idle; without a listener they would end the process
 */
export function dataSourceOptions(
  config: DatabaseSettings,
  report: (error: unknown) => void,
): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url: config.DATABASE_URL,
    entities,
    migrations,
    synchronize: false,
    logging: false,
    poolSize: config.DATABASE_POOL,
    connectTimeoutMS: config.DATABASE_CONNECT_TIMEOUT_MS,
    applicationName: 'portage',
    poolErrorHandler: report,
    extra: {
      types: typesOfRows,
      options: SESSION_SETTINGS,
      statement_timeout: config.DATABASE_STATEMENT_TIMEOUT_MS,
      keepAlive: true,
    },
  };
}
