import { Injectable } from '@nestjs/common';
import { type AuditEntry, isApiKeyActor, quotaOfAction } from './audit';
import { AuditEntryEntity } from './audit-entry.entity';
import { Database, type Executor, type Statement } from '../database/connection/database';
import { translateErrors } from '../database/connection/database-unavailable';
import { Quotas } from '../limits/quotas';

/** An audited action as it is read: an entry of the table, or the event of a scheduled account or correction. */
export interface AuditedAction extends AuditEntryEntity {
  /** The version of the account; 0 for an entry of the table. */
  version: number;
}

/** The place of an entry: entries are sorted by it, and an event never has the version 0 of an entry of the table. */
export type AuditPosition = Pick<AuditedAction, 'occurredAt' | 'id' | 'version'>;

const read: Statement = {
  name: 'read-audit',
  // The conditions on event and actor match the partial index of the events.
  text: `
    WITH scheduling AS MATERIALIZED (
      SELECT occurred_at, actor, process_id, version, event FROM import_process_event
      WHERE $7 AND event IN ('SCHEDULED', 'CORRECTION_SCHEDULED') AND actor IS NOT NULL
        AND occurred_at >= $1 AND (occurred_at, process_id, version) < ($2, $3, $4)
      ORDER BY occurred_at DESC, process_id DESC, version DESC LIMIT $5
    )
    (
      SELECT occurred_at, id, 0 AS version, actor, action, supplier, subject, details FROM audit_entry
      WHERE $6 AND occurred_at >= $1 AND (occurred_at, id, 0) < ($2, $3, $4)
      ORDER BY occurred_at DESC, id DESC LIMIT $5
    ) UNION ALL
    SELECT scheduling.occurred_at, scheduling.process_id, scheduling.version, actor,
      CASE event WHEN 'SCHEDULED' THEN 'account.schedule' ELSE 'account.correct' END, supplier.code,
      external_account_number,
      CASE event WHEN 'SCHEDULED' THEN jsonb_build_object('version', scheduling.version) ELSE (
        SELECT jsonb_build_object('version', correction.version, 'is_dry_run', is_dry_run, 'change_count', change_count,
          'paths', (SELECT json_agg(change -> 'path') FROM json_array_elements(changes) AS change))
        FROM import_process_correction correction
        WHERE process_id = scheduling.process_id AND correction.version = scheduling.version
      ) END
    FROM scheduling JOIN import_process process ON process.id = scheduling.process_id
    JOIN import_supplier supplier ON supplier.id = process.supplier_id
    ORDER BY occurred_at DESC, id DESC, version DESC LIMIT $5`,
};

/** The audit trail: actions, their actors and times. Entries are never changed or deleted. */
@Injectable()
export class AuditRepository {
  constructor(
    private readonly database: Database,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Adds an entry.
   *
   * @param executor the transaction of the audited action, so that both are committed or neither
   * @throws PortageError `quota_reached` if API requests of the supplier have made as many entries as they may, unless the
   * action only ends something
   */
  async record(executor: Executor, { actor, action, supplier, subject, details }: AuditEntry): Promise<void> {
    const quota = quotaOfAction(action);
    if (supplier !== undefined && quota !== undefined && isApiKeyActor(actor))
      await this.quotas.take(quota, { supplier }, 1, executor);
    const entry = { actor, action, supplier, subject, details: (details ?? {}) as object };
    // The columns are named because the application's role may not write the others.
    await translateErrors(
      executor.manager
        .createQueryBuilder()
        .insert()
        .into(AuditEntryEntity, ['actor', 'action', 'supplier', 'subject', 'details'])
        .values(entry)
        .updateEntity(false)
        .execute(),
    );
  }

  /**
   * Reads up to `rows` actions that come after `position` and are not older than `since`, the newest first: entries of the
   * table, and scheduled accounts and corrections, which the events of their processes audit. The paths of a correction
   * are null once its changes were erased.
   */
  async read(
    { since, hasEntries, hasSchedulings }: { since: string; hasEntries: boolean; hasSchedulings: boolean },
    { occurredAt, id, version }: AuditPosition,
    rows: number,
    executor: Executor = this.database,
  ): Promise<AuditedAction[]> {
    return executor.run<AuditedAction>(read, [
      since,
      occurredAt,
      id,
      version,
      rows,
      hasEntries,
      hasSchedulings,
    ]);
  }
}
