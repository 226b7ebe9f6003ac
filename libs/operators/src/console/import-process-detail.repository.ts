import { Injectable } from '@nestjs/common';
import { DocumentEntity, WelcomeEmailEntity } from '@portage/accounts';
import {
  ImportProcessCorrectionEntity,
  ImportProcessEntity,
  type ImportProcessEvent,
  ImportProcessEventEntity,
  ImportProcessPayloadEntity,
  warningsOfProcess,
} from '@portage/imports';
import { Database, type Executor, type FieldError, type Statement, translateErrors } from '@portage/platform';

/** A process with everything that its page shows, besides the account. */
export interface ProcessDetailRow extends ImportProcessEntity {
  hasPayload: boolean;
}

/** An event of a process. */
export interface ProcessEventRow {
  event: ImportProcessEvent;
  version: number;
  attempt: number;
  occurredAt: string;
  actor: string | null;
  errorCode: string | null;
}

/** What an import has created: counts, and no value of the account. */
export interface CreatedAccountRow {
  accountId: string;
  platformAccountNumber: string;
  createdAt: string;
  erasedAt: string | null;
  customers: number;
  agreements: number;
  supplyPoints: number;
  ledgers: number;
  transactions: number;
  statements: number;
  notes: number;
  paymentInstructions: number;
  documents: number;
}

/** A document or the welcome e-mail of an account. */
export interface FollowUpRow {
  kind: 'documents' | 'welcome_email';
  state: string;
  count: number;
  updatedAt: string | null;
  errorCode: string | null;
}

/** A request about an imported or staged account. */
export interface AccountRequestRow {
  id: string;
  kind: string;
  status: string;
  /** The kind of the outcome; null before it. */
  outcome: string | null;
  errorCode: string | null;
  isUnanswered: boolean;
  createdAt: string;
  actor: string | null;
}

/** The most rows of one kind that are counted of an account. */
const MAX_COUNTED = 10_000;

const countOf = (table: string) =>
  `(SELECT count(*)::integer FROM (SELECT FROM ${table} WHERE account_id = account.id LIMIT ${MAX_COUNTED}) counted)`;

const created: Statement = {
  name: 'process-created-account',
  text: `
    SELECT account.id AS account_id, number AS platform_account_number, created_at, erased_at,
      ${countOf('customer')} AS customers, ${countOf('agreement')} AS agreements,
      ${countOf('supply_point')} AS supply_points, ${countOf('ledger')} AS ledgers,
      ${countOf('transaction')} AS transactions, ${countOf('historical_statement')} AS statements,
      ${countOf('note')} AS notes, ${countOf('payment_instruction')} AS payment_instructions,
      ${countOf('document')} AS documents
    FROM account WHERE process_id = $1`,
};

const requests: Statement = {
  name: 'process-requests',
  text: `
    SELECT id, kind, status, outcome ->> 'kind' AS outcome, outcome ->> 'code' AS error_code, is_unanswered,
      created_at, actor
    FROM (
      -- OFFSET 0 makes the planner use the index on the account, and not the order of all requests.
      (SELECT * FROM (SELECT * FROM account_request WHERE account_id = $1 OFFSET 0) of_account
      ORDER BY id DESC LIMIT $3)
      UNION ALL
      (SELECT * FROM (SELECT * FROM account_request WHERE process_id = $2 AND process_id IS NOT NULL OFFSET 0) of_process
      ORDER BY id DESC LIMIT $3)
    ) request ORDER BY id DESC LIMIT $3`,
};

/** Single processes for the pages of operators. No statement reads more than is bounded. */
@Injectable()
export class ImportProcessDetailRepository {
  constructor(private readonly database: Database) {}

  /** The supplier's process with this id or this external account number. */
  async find(
    process: { supplierId: number } & ({ id: string } | { externalAccountNumber: string }),
    executor: Executor = this.database,
  ): Promise<ProcessDetailRow | undefined> {
    const { entities, raw } = await translateErrors(
      executor.manager
        .createQueryBuilder(ImportProcessEntity, 'process')
        .addSelect(warningsOfProcess('process'), 'warnings_of_status')
        .addSelect('EXISTS (SELECT FROM import_process_payload WHERE process_id = process.id)', 'has_payload')
        .where(process)
        .getRawAndEntities<{ warnings_of_status: FieldError[] | null; has_payload: boolean }>(),
    );
    const [found] = entities;
    const [computed] = raw;
    return found && computed
      ? Object.assign(found, { warnings: computed.warnings_of_status, hasPayload: computed.has_payload })
      : undefined;
  }

  /** The last events of a process, the oldest first. */
  async events(id: string, rows: number, executor: Executor = this.database): Promise<ProcessEventRow[]> {
    const found = await translateErrors(
      executor.manager.find(ImportProcessEventEntity, {
        where: { processId: id },
        order: { version: 'DESC', attempt: 'DESC', event: 'DESC' },
        take: rows,
      }),
    );
    // The text of timestamps in UTC sorts as the timestamps do.
    return found.toSorted((one, other) =>
      one.occurredAt < other.occurredAt
        ? -1
        : one.occurredAt > other.occurredAt
          ? 1
          : one.version - other.version,
    );
  }

  /** The last corrections of a process, the newest first. */
  async corrections(
    processId: string,
    rows: number,
    executor: Executor = this.database,
  ): Promise<ImportProcessCorrectionEntity[]> {
    return translateErrors(
      executor.manager.find(ImportProcessCorrectionEntity, {
        where: { processId },
        order: { version: 'DESC' },
        take: rows,
      }),
    );
  }

  /** The correction that is a version of a process; undefined where there is none. */
  async correction(processId: string, version: string): Promise<ImportProcessCorrectionEntity | undefined> {
    if (!/^[1-9]\d{0,8}$/.test(version)) return undefined;
    const found = await translateErrors(
      this.database.manager.findOneBy(ImportProcessCorrectionEntity, { processId, version: Number(version) }),
    );
    return found ?? undefined;
  }

  /** The payload of a process; undefined if it was erased. */
  async payload(id: string, executor: Executor = this.database): Promise<unknown> {
    const found = await translateErrors(
      executor.manager.findOneBy(ImportProcessPayloadEntity, { processId: id }),
    );
    return found?.payload;
  }

  /** What a process has created; undefined without an account. */
  async created(id: string, executor: Executor = this.database): Promise<CreatedAccountRow | undefined> {
    return (await executor.run<CreatedAccountRow>(created, [id]))[0];
  }

  /** The follow-ups of an account, by kind and state. */
  async followUps(accountId: string, executor: Executor = this.database): Promise<FollowUpRow[]> {
    const documents = await translateErrors(
      executor.manager
        .createQueryBuilder()
        .select('document.state', 'state')
        .addSelect('count(*)::integer', 'count')
        .addSelect('max(document.updated_at)', 'updatedAt')
        .addSelect('min(document.error_code)', 'errorCode')
        .from(
          (first) =>
            first
              .select('stored.state', 'state')
              .addSelect('coalesce(stored.inspectedAt, stored.createdAt)', 'updated_at')
              .addSelect('stored.errorCode', 'error_code')
              .from(DocumentEntity, 'stored')
              .where({ accountId })
              .limit(MAX_COUNTED),
          'document',
        )
        .groupBy('document.state')
        .getRawMany<Omit<FollowUpRow, 'kind'>>(),
    );
    const email = await translateErrors(executor.manager.findOneBy(WelcomeEmailEntity, { accountId }));
    return [
      ...documents.map((counted): FollowUpRow => ({ kind: 'documents', ...counted })),
      ...(email ? [toFollowUp(email)] : []),
    ];
  }

  /** The last requests about an account or a staged process, the newest first. */
  async requests(
    processId: string,
    accountId: string | undefined,
    rows: number,
    executor: Executor = this.database,
  ): Promise<AccountRequestRow[]> {
    return executor.run<AccountRequestRow>(requests, [accountId ?? null, processId, rows]);
  }
}

function toFollowUp({ state, sentAt, createdAt, errorCode }: WelcomeEmailEntity): FollowUpRow {
  return { kind: 'welcome_email', state, count: 1, updatedAt: sentAt ?? createdAt, errorCode };
}
