import { Injectable } from '@nestjs/common';
import type { AuditAction, AuditEntry } from '@portage/domain';
import { Database, type Executor, type Statement } from '../connection/database';

/** An audited action as it is read: an entry of the table, or the event of a scheduled process. */
export interface AuditedAction {
  /** PostgreSQL's text of a timestamp, in UTC. */
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

/** The cursor of a source: the entry that was read last. */
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

/** The audit trail: who did what, and when. Entries are never changed or deleted. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Adds an entry. @param executor the transaction of the audited action, so that neither is stored alone */
  async record(executor: Executor, { actor, action, supplier, subject, details }: AuditEntry): Promise<void> {
    await executor.run(record, [
      actor,
      action,
      supplier ?? null,
      subject ?? null,
      JSON.stringify(details ?? {}),
    ]);
  }

  /** Up to `rows` entries of the table after the cursor, the newest first, none before `since`. */
  async entries(since: string, { occurredAt, id }: AuditPlace, rows: number): Promise<AuditedAction[]> {
    return this.database.run<AuditedAction>(entries, [since, occurredAt, id, rows]);
  }

  /** As {@link entries}, for scheduled accounts: they are audited by the events of their processes. */
  async schedulings(
    since: string,
    { occurredAt, id, version }: AuditPlace,
    rows: number,
  ): Promise<AuditedAction[]> {
    const values = [since, occurredAt, id, version, rows];
    return this.database.run<AuditedAction>(schedulings, values);
  }
}
