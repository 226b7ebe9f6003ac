import { Injectable } from '@nestjs/common';
import type { AuditAction, AuditEntry } from '@portage/domain';
import type { EntityManager } from 'typeorm';
import { Database, type Executor, type Statement } from '../connection/database';
import { AuditEntryEntity } from './audit-entry.entity';

/** An entry as it is read: of the table, or of the event of a process. */
export interface AuditedAction {
  /** PostgreSQL's text, in UTC. */
  occurredAt: string;
  actor: string;
  action: AuditAction;
  supplier: string | null;
  subject: string | null;
  details: Record<string, unknown>;
  /** Tells entries of the same moment apart. */
  id: string;
  version: number;
}

/** Which entry of a source was read last. */
export type AuditPlace = Pick<AuditedAction, 'occurredAt' | 'id' | 'version'>;

const record: Statement = {
  name: 'record-audit-entry',
  text: 'INSERT INTO audit_entry (actor, action, supplier, subject, details) VALUES ($1, $2, $3, $4, $5)',
};

const entries: Statement = {
  name: 'audit-entries',
  text: `
    SELECT occurred_at AS "occurredAt", actor, action, supplier, subject, details, id, 0 AS version
    FROM audit_entry
    WHERE occurred_at >= $1 AND (occurred_at, id) < ($2, $3)
    ORDER BY occurred_at DESC, id DESC LIMIT $4`,
};

const schedulings: Statement = {
  name: 'audited-schedulings',
  // The conditions on event and actor are those of the index.
  text: `
    WITH looked AS MATERIALIZED (
      SELECT occurred_at, actor, process_id, version FROM import_process_event
      WHERE event = 'SCHEDULED' AND actor IS NOT NULL
        AND occurred_at >= $1 AND (occurred_at, process_id, version) < ($2, $3, $4)
      ORDER BY occurred_at DESC, process_id DESC, version DESC LIMIT $5
    )
    SELECT looked.occurred_at AS "occurredAt", actor, 'account.schedule' AS action, supplier.code AS supplier,
      external_account_number AS subject, json_build_object('version', looked.version) AS details,
      looked.process_id AS id, looked.version
    FROM looked JOIN import_process process ON process.id = looked.process_id
    JOIN import_supplier supplier ON supplier.id = process.supplier_id
    ORDER BY looked.occurred_at DESC, looked.process_id DESC, looked.version DESC`,
};

/** Puts on record, in the transaction of what it is about, what is done through TypeORM. */
export async function recordWith(manager: EntityManager, entry: AuditEntry): Promise<void> {
  const { details = {}, ...columns } = entry;
  await manager.insert(AuditEntryEntity, { ...columns, details: details as object });
}

/** The record of who did what. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** @param executor of the transaction that does what the entry says */
  async record(executor: Executor, { actor, action, supplier, subject, details }: AuditEntry): Promise<void> {
    await executor.run(record, [
      actor,
      action,
      supplier ?? null,
      subject ?? null,
      JSON.stringify(details ?? {}),
    ]);
  }

  /** The next entries of the table, the newest first, none before `since`. */
  async entries(since: string, { occurredAt, id }: AuditPlace, rows: number): Promise<AuditedAction[]> {
    return this.database.run<AuditedAction & Record<string, unknown>>(entries, [since, occurredAt, id, rows]);
  }

  /** The same of accounts that were scheduled, which the events of their processes tell. */
  async schedulings(
    since: string,
    { occurredAt, id, version }: AuditPlace,
    rows: number,
  ): Promise<AuditedAction[]> {
    const values = [since, occurredAt, id, version, rows];
    return this.database.run<AuditedAction & Record<string, unknown>>(schedulings, values);
  }
}
