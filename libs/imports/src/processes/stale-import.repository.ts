import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '@portage/platform';
import type { ProcessVersion } from './pending-process.repository';

/** An unfinished process whose job may have been lost. */
export interface StaleProcess extends ProcessVersion {
  organisationId: number;
  supplierCode: string;
  externalAccountNumber: string;
  submissionId: string | null;
  /** The batch whose job imports this version; null if it has a job of its own. */
  batchId: string | null;
}

/** The processes of a supplier and of `state.status` that were enqueued long ago, the oldest first. */
const overdue = (supplierId: string) => `
  SELECT id, enqueued_at FROM import_process
  WHERE supplier_id = ${supplierId} AND status = state.status AND status IN ('PENDING', 'IN_PROGRESS')
    AND enqueued_at < 'infinity' AND enqueued_at < now() - make_interval(secs => $1 / 1000.0)
  ORDER BY enqueued_at`;

/** The processes of a supplier whose schedule window has opened since they were stored. */
const due = (supplierId: string) => `
  SELECT id FROM import_process
  WHERE supplier_id = ${supplierId} AND status = 'PENDING' AND enqueued_at = schedule_window_start AND enqueued_at <= now()`;

// As an array, so that only the primary keys are read.
const markAsEnqueued = (selected: string) => `
  UPDATE import_process process SET enqueued_at = now() WHERE process.id = ANY(ARRAY(SELECT id FROM ${selected}))
  RETURNING process.id, process.version, process.supplier_id, process.external_account_number,
    process.submission_id, process.batch_id`;

const SELECT_TAKEN = `
  SELECT taken.id AS process_id, taken.version, organisation_id, supplier.code AS supplier_code,
    taken.external_account_number, taken.submission_id, taken.batch_id
  FROM taken JOIN import_supplier supplier ON supplier.id = taken.supplier_id`;

const takeUnfinished: Statement = {
  name: 'take-unfinished-import-processes',
  // SKIP LOCKED and the new enqueued_at make concurrent sweepers take different rows. A locked row is being changed, so
  // its job is not lost. Rows that a paused supplier holds are not read: each supplier and status is a range of the index,
  // and ranges are read in order, and no further than the limit.
  text: `
    WITH unfinished AS MATERIALIZED (
      SELECT supplier.id AS supplier_id, state.status
      FROM import_supplier supplier CROSS JOIN unnest(ARRAY['PENDING', 'IN_PROGRESS']) AS state (status)
      CROSS JOIN LATERAL (${overdue('supplier.id')} LIMIT 1) AS oldest
      WHERE state.status = 'IN_PROGRESS' OR supplier.status <> 'Paused'
      ORDER BY oldest.enqueued_at
    ), overdue AS MATERIALIZED (
      SELECT process.id FROM unfinished state
      CROSS JOIN LATERAL (${overdue('state.supplier_id')} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) AS process
      LIMIT $2
    ), taken AS (
      ${markAsEnqueued('overdue')}
    )
    ${SELECT_TAKEN}`,
};

const takeDue: Statement = {
  name: 'take-due-import-processes',
  // A process whose window is yet to open is enqueued as of its start. Every supplier gets an equal part of the limit.
  text: `
    WITH opened AS MATERIALIZED (
      SELECT supplier.id, count(*) OVER () AS suppliers FROM import_supplier supplier
      WHERE supplier.status <> 'Paused' AND EXISTS (${due('supplier.id')})
    ), due AS MATERIALIZED (
      SELECT process.id FROM opened CROSS JOIN LATERAL (
        ${due('opened.id')} ORDER BY enqueued_at, id LIMIT ceil($1::numeric / opened.suppliers)
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS process
    ), taken AS (
      ${markAsEnqueued('due')}
    )
    ${SELECT_TAKEN}`,
};

const takeCorrections: Statement = {
  name: 'take-unfinished-corrections',
  // As the statement above: each supplier that is not paused is a range of the index.
  text: `
    WITH overdue AS MATERIALIZED (
      SELECT correction.process_id, correction.version
      FROM import_supplier supplier CROSS JOIN LATERAL (
        SELECT process_id, version FROM import_process_correction
        WHERE supplier_id = supplier.id AND import_process_correction.status = 'PENDING'
          AND enqueued_at < now() - make_interval(secs => $1 / 1000.0)
        ORDER BY enqueued_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
      ) correction
      WHERE supplier.status <> 'Paused' LIMIT $2
    ), taken AS (
      UPDATE import_process_correction correction SET enqueued_at = now()
      FROM overdue WHERE correction.process_id = overdue.process_id AND correction.version = overdue.version
      RETURNING correction.*
    )
    SELECT taken.process_id, taken.version, organisation_id, supplier.code AS supplier_code,
      process.external_account_number, taken.submission_id, taken.batch_id
    FROM taken JOIN import_supplier supplier ON supplier.id = taken.supplier_id
    JOIN import_process process ON process.id = taken.process_id`,
};

/** Import processes for the sweeper. */
@Injectable()
export class StaleImportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns up to `rows` unfinished processes that were last enqueued longer than `milliseconds` ago, and marks them as
   * enqueued now, so that they are returned again only after that time. The supplier with the oldest process comes first.
   * Processes that a paused supplier holds are left out.
   */
  async take(milliseconds: number, rows: number): Promise<StaleProcess[]> {
    return this.database.run<StaleProcess>(takeUnfinished, [milliseconds, rows]);
  }

  /** Returns about `rows` PENDING processes whose schedule window has opened, and marks them as enqueued now. */
  async takeDue(rows: number): Promise<StaleProcess[]> {
    return this.database.run<StaleProcess>(takeDue, [rows]);
  }

  /** As {@link take}, of pending corrections: each is a version of its process. */
  async takeCorrections(milliseconds: number, rows: number): Promise<StaleProcess[]> {
    return this.database.run<StaleProcess>(takeCorrections, [milliseconds, rows]);
  }
}
