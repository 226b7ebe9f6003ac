import { Injectable } from '@nestjs/common';
import type { ImportProcessStatus, StoredMinute } from '@portage/imports';
import type { Executor, Statement } from '@portage/platform';
import type { ImportSupplierEntity } from '@portage/tenants';

/** A supplier with what was counted of it within the last minute. */
export interface SupplierOverview {
  id: number;
  code: string;
  organisation: string;
  status: ImportSupplierEntity['status'];
  creationMode: ImportSupplierEntity['creationMode'];
  counts: Partial<Record<ImportProcessStatus, number>>;
  staged: number;
  followedUp: number;
  countedAt: string | null;
  /** When the process was received that is PENDING since longest, and does not wait for a request. */
  oldestWaitingAt: string | null;
  /** The minutes of the last hour in which anything happened. */
  minutes: StoredMinute[];
}

/** A supplier with all its settings and the name of its organisation. */
export type SupplierWithOrganisation = ImportSupplierEntity & { organisation: string };

/** The number of processes with an error code, and the latest of them. */
export interface ErrorCodeCount {
  code: string;
  count: number;
  processId: string;
  /** Null if the process is gone, or has another error by now. */
  externalAccountNumber: string | null;
}

/** Processes among which the one that waits longest is looked for: those before it wait for a request. */
const MAX_EXAMINED = 200;

const overview: Statement = {
  name: 'supplier-overview',
  text: `
    SELECT supplier.id, supplier.code, organisation.name AS organisation, supplier.status,
      supplier.creation_mode, coalesce(counted.counts, '{}') AS counts,
      coalesce(rollup.staged, 0)::float8 AS staged, coalesce(rollup.followed_up, 0)::float8 AS followed_up,
      counted.counted_at, waiting.created_at AS oldest_waiting_at, coalesce(recent.minutes, '[]') AS minutes
    FROM (SELECT * FROM import_supplier WHERE $1::text IS NULL OR code = $1 ORDER BY code LIMIT $2) supplier
    JOIN organisation ON organisation.id = supplier.organisation_id
    LEFT JOIN import_process_rollup rollup ON rollup.supplier_id = supplier.id
    LEFT JOIN LATERAL (
      SELECT jsonb_object_agg(status, count) AS counts, max(counted_at) AS counted_at
      FROM import_process_count WHERE supplier_id = supplier.id
    ) counted ON true
    LEFT JOIN LATERAL (
      SELECT created_at FROM (
        SELECT id, created_at, enqueued_at FROM import_process
        -- As rows, so that only the index with this order is read, also for a supplier without any that waits.
        WHERE (supplier_id, import_process.status, id) > (supplier.id, 'PENDING', 0)
          AND (supplier_id, import_process.status, id) <= (supplier.id, 'PENDING', 9223372036854775807)
        ORDER BY supplier_id, import_process.status, id LIMIT ${MAX_EXAMINED}
      ) pending WHERE enqueued_at < 'infinity' ORDER BY id LIMIT 1
    ) waiting ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('at', extract(epoch FROM minute)::integer, 'accepted', accepted,
        'processed', processed, 'errored', errored, 'cancelled', cancelled, 'latencyMs', latency_ms,
        'latencyCount', latency_count) ORDER BY minute) AS minutes
      FROM import_process_minute WHERE supplier_id = supplier.id AND minute >= now() - interval '61 minutes'
    ) recent ON true
    ORDER BY supplier.code`,
};

const errorCodes: Statement = {
  name: 'supplier-error-codes',
  text: `
    SELECT counted.error_code AS code, count::float8 AS count, latest_process_id AS process_id,
      (SELECT external_account_number FROM import_process process
       WHERE process.id = latest_process_id AND process.supplier_id = $1 AND process.error_code = counted.error_code
      ) AS external_account_number
    FROM (SELECT * FROM import_process_error_count WHERE supplier_id = $1 ORDER BY count DESC, error_code LIMIT $2) counted
    ORDER BY count DESC, code`,
};

const page: Statement = {
  name: 'supplier-page',
  text: `
    SELECT supplier.id, supplier.code, organisation.name AS organisation, supplier.status, region,
      creation_mode, profile, document_root, currency, time_zone,
      verify_documents, reject_undocumented_fields,
      send_migration_emails, retain_payload_days,
      v1_error_format, max_processing_accounts,
      rule_settings, supplier.created_at, supplier.modified_at,
      supplier.organisation_id
    FROM import_supplier supplier JOIN organisation ON organisation.id = supplier.organisation_id
    WHERE supplier.code > $1 AND ($2::text IS NULL OR supplier.code = $2) ORDER BY supplier.code LIMIT $3`,
};

/** Suppliers as the pages of operators show them. Nothing is counted here: the maintenance has counted. */
@Injectable()
export class SupplierOverviewRepository {
  /** The first suppliers, by code. */
  async list(rows: number, executor: Executor): Promise<SupplierOverview[]> {
    return executor.run<SupplierOverview>(overview, [null, rows]);
  }

  /** One supplier. */
  async find(code: string, executor: Executor): Promise<SupplierOverview | undefined> {
    return (await executor.run<SupplierOverview>(overview, [code, 1]))[0];
  }

  /** Up to `rows` suppliers with their settings whose code follows `after`, by code. */
  async settings(after: string, rows: number, executor: Executor): Promise<SupplierWithOrganisation[]> {
    return executor.run<SupplierWithOrganisation>(page, [after, null, rows]);
  }

  /** The settings of one supplier. */
  async settingsOf(code: string, executor: Executor): Promise<SupplierWithOrganisation | undefined> {
    return (await executor.run<SupplierWithOrganisation>(page, ['', code, 1]))[0];
  }

  /** The most frequent error codes of a supplier. */
  async errorCodes(supplierId: number, rows: number, executor: Executor): Promise<ErrorCodeCount[]> {
    return executor.run<ErrorCodeCount>(errorCodes, [supplierId, rows]);
  }
}
