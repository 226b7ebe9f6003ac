import { Injectable } from '@nestjs/common';
import { type AuditEntry, isApiKeyActor, quotaOfAction } from './audit';
import { AuditEntryEntity } from './audit-entry.entity';
import { Database, type Executor, type Statement } from '../database/connection/database';
import { translateErrors } from '../database/connection/database-unavailable';
import { Quotas } from '../limits/quotas';

/** An audited action as it is read: an entry of the table, or the event of a scheduled account or correction. */
export interface AuditedAction extends AuditEntryEntity {
  /** With `id`, orders entries of the same moment. */
  version: number;
}

/** The cursor of a source: the entry that was read last. */
export type AuditCursor = Pick<AuditedAction, 'occurredAt' | 'id' | 'version'>;

const schedulings: Statement = {
  name: 'audited-schedulings',
  // The conditions on event and actor match the partial index.
  text: `
    WITH scheduling AS MATERIALIZED (
      SELECT occurred_at, actor, process_id, version, event FROM import_process_event
      WHERE event IN ('SCHEDULED', 'CORRECTION_SCHEDULED') AND actor IS NOT NULL
        AND occurred_at >= $1 AND (occurred_at, process_id, version) < ($2, $3, $4)
      ORDER BY occurred_at DESC, process_id DESC, version DESC LIMIT $5
    )
    SELECT scheduling.occurred_at, actor, supplier.code AS supplier, external_account_number AS subject,
      scheduling.process_id AS id, scheduling.version,
      CASE event WHEN 'SCHEDULED' THEN 'account.schedule' ELSE 'account.correct' END AS action,
      CASE event WHEN 'SCHEDULED' THEN json_build_object('version', scheduling.version) ELSE (
        SELECT json_build_object('version', correction.version, 'is_dry_run', is_dry_run, 'change_count', change_count,
          'paths', (SELECT json_agg(change -> 'path') FROM json_array_elements(changes) AS change))
        FROM import_process_correction correction
        WHERE process_id = scheduling.process_id AND correction.version = scheduling.version
      ) END AS details
    FROM scheduling JOIN import_process process ON process.id = scheduling.process_id
    JOIN import_supplier supplier ON supplier.id = process.supplier_id
    ORDER BY scheduling.occurred_at DESC, scheduling.process_id DESC, scheduling.version DESC`,
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
   * Reads up to `rows` entries of the table that follow the cursor and are not older than `since`, the newest first.
   */
  async entries(
    since: string,
    { occurredAt, id }: AuditCursor,
    rows: number,
    executor: Executor = this.database,
  ): Promise<AuditedAction[]> {
    const found = await translateErrors(
      executor.manager
        .createQueryBuilder(AuditEntryEntity, 'entry')
        .where('entry.occurredAt >= :since AND (entry.occurredAt, entry.id) < (:occurredAt, :id)', {
          since,
          occurredAt,
          id,
        })
        .orderBy({ 'entry.occurredAt': 'DESC', 'entry.id': 'DESC' })
        .limit(rows)
        .getMany(),
    );
    return found.map((entry) => Object.assign(entry, { version: 0 }));
  }

  /**
   * As {@link entries}, for scheduled accounts and corrections: they are audited by the events of their processes. The paths of
   * a correction are null once its changes were erased.
   */
  async schedulings(
    since: string,
    { occurredAt, id, version }: AuditCursor,
    rows: number,
    executor: Executor = this.database,
  ): Promise<AuditedAction[]> {
    const values = [since, occurredAt, id, version, rows];
    return executor.run<AuditedAction>(schedulings, values);
  }
}
