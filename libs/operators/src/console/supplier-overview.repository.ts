import { Injectable } from '@nestjs/common';
import {
  countsOfSuppliers,
  type ImportCountKind,
  type Rates,
  RATES,
  recentThroughput,
  type Throughput,
  throughputByMinute,
} from '@portage/imports';
import { type Executor, MAX_ID, type Statement } from '@portage/platform';
import { ImportSupplierEntity, type OrganisationEntity } from '@portage/tenants';
import type { SelectQueryBuilder } from 'typeorm';

/** A supplier with its counts, all of one moment. */
export interface SupplierOverview extends Rates {
  id: number;
  code: string;
  organisation: string;
  status: ImportSupplierEntity['status'];
  creationMode: ImportSupplierEntity['creationMode'];
  counts: Partial<Record<ImportCountKind, number>>;
  /** The moment. */
  countedAt: string;
  /** When the process was received that is PENDING since longest, and waits neither for a window nor for a request. */
  oldestWaitingAt: string | null;
  /** When the last schedule window opens for which a process waits. */
  lastWindowAt: string | null;
  /** The minutes of the last hour in which anything happened. */
  minutes: Throughput[];
}

/** A supplier with all its settings and its organisation. */
export type SupplierWithOrganisation = ImportSupplierEntity & { organisation: OrganisationEntity };

/** The number of processes with an error code and of lines refused with it, and the latest of the processes. */
export interface ErrorCodeCount {
  code: string;
  count: number;
  refusedLines: number;
  /** Both null if no process has it any more. */
  processId: string | null;
  externalAccountNumber: string | null;
}

/** Processes among which the one that waits longest is looked for: those before it wait for a window or a request. */
const MAX_EXAMINED = 200;

const SHOWN = 'SELECT id FROM shown';

const overview: Statement = {
  name: 'supplier-overview',
  // One statement, so that all figures are of one moment.
  text: `
    WITH shown AS MATERIALIZED (
      SELECT id, code, organisation_id, status, creation_mode FROM import_supplier
      WHERE $1::text IS NULL OR code = $1 ORDER BY code LIMIT $2
    ), counted AS MATERIALIZED (
      SELECT supplier_id, jsonb_object_agg(kind, count) AS counts FROM (
        SELECT supplier_id, kind, sum(count) AS count FROM (${countsOfSuppliers(SHOWN)}) AS counted GROUP BY 1, 2
      ) AS summed GROUP BY 1
    ), rates AS MATERIALIZED (
      SELECT supplier_id, ${RATES}
      FROM (${recentThroughput(`supplier_id = ANY(ARRAY(${SHOWN}))`)}) AS recent GROUP BY 1
    ), minutes AS MATERIALIZED (
      SELECT supplier_id, jsonb_agg(jsonb_build_object('at', date_part('epoch', at), 'accepted', accepted,
        'processed', processed, 'errored', errored, 'cancelled', cancelled, 'latencyMs', latency_ms,
        'latencyCount', latency_count) ORDER BY at) AS minutes
      FROM (
        SELECT supplier_id, at, sum(accepted) AS accepted, sum(processed) AS processed, sum(errored) AS errored,
          sum(cancelled) AS cancelled, sum(latency_ms) AS latency_ms, sum(latency_count) AS latency_count
        FROM (${throughputByMinute(SHOWN, `date_trunc('minute', now()) - interval '61 minutes'`)}) AS part
        GROUP BY 1, 2
      ) AS summed GROUP BY 1
    )
    SELECT shown.id, shown.code, organisation.name AS organisation, shown.status, shown.creation_mode,
      coalesce(counted.counts, '{}') AS counts, now() AS counted_at, waiting.created_at AS oldest_waiting_at,
      windowed.enqueued_at AS last_window_at,
      coalesce(processed_per_second, 0) AS processed_per_second,
      coalesce(processed_per_second_of_minute, 0) AS processed_per_second_of_minute,
      coalesce(ended_per_second, 0) AS ended_per_second,
      coalesce(ended_per_second_of_minute, 0) AS ended_per_second_of_minute,
      coalesce(minutes.minutes, '[]') AS minutes
    FROM shown JOIN organisation ON organisation.id = shown.organisation_id
    LEFT JOIN counted ON counted.supplier_id = shown.id
    LEFT JOIN rates ON rates.supplier_id = shown.id
    LEFT JOIN minutes ON minutes.supplier_id = shown.id
    LEFT JOIN LATERAL (
      SELECT created_at FROM (
        SELECT id, created_at, enqueued_at FROM import_process
        -- As rows, so that only the index with this order is read, also for a supplier without any that waits.
        WHERE supplier_id = shown.id AND (import_process.status, id) > ('PENDING', 0)
          AND (import_process.status, id) <= ('PENDING', ${MAX_ID})
        ORDER BY import_process.status, id LIMIT ${MAX_EXAMINED}
      ) pending WHERE enqueued_at <= now() ORDER BY id LIMIT 1
    ) waiting ON true
    LEFT JOIN LATERAL (
      -- Until its window opens, a process is enqueued at that time; a staged one never is.
      SELECT enqueued_at FROM import_process
      WHERE supplier_id = shown.id AND import_process.status = 'PENDING' AND import_process.status IN ('PENDING', 'IN_PROGRESS')
        AND enqueued_at > now() AND enqueued_at < 'infinity'
      ORDER BY enqueued_at DESC LIMIT 1
    ) windowed ON true
    ORDER BY shown.code`,
};

const errorCodes: Statement = {
  name: 'supplier-error-codes',
  text: `
    SELECT counted.error_code AS code, (total - refused)::float8 AS count, refused::float8 AS refused_lines,
      latest.id AS process_id, latest.external_account_number
    FROM (
      SELECT error_code, sum(count) AS total, coalesce(sum(count) FILTER (WHERE kind = 'LINE_REFUSED'), 0) AS refused
      FROM (${countsOfSuppliers('SELECT $1::integer')}) AS counted
      WHERE error_code <> '' GROUP BY 1 HAVING sum(count) > 0 ORDER BY total DESC, error_code LIMIT $2
    ) AS counted
    LEFT JOIN LATERAL (
      SELECT id, external_account_number FROM import_process
      -- As rows, so that only the index with this order is read.
      WHERE supplier_id = $1 AND import_process.error_code IS NOT NULL
        AND (import_process.error_code, id) > (counted.error_code, 0)
        AND (import_process.error_code, id) <= (counted.error_code, ${MAX_ID})
      ORDER BY import_process.error_code DESC, id DESC LIMIT 1
    ) AS latest ON true
    ORDER BY total DESC, code`,
};

/** Suppliers as the pages of operators show them. */
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
    return selectSuppliers(executor)
      .where('supplier.code > :after', { after })
      .orderBy('supplier.code')
      .limit(rows)
      .getMany() as Promise<SupplierWithOrganisation[]>;
  }

  /** The settings of one supplier. */
  async settingsOf(code: string, executor: Executor): Promise<SupplierWithOrganisation | undefined> {
    const found = await selectSuppliers(executor).where({ code }).getOne();
    return (found as SupplierWithOrganisation | null) ?? undefined;
  }

  /** The most frequent error codes of the accounts and refused lines of a supplier. */
  async errorCodes(supplierId: number, rows: number, executor: Executor): Promise<ErrorCodeCount[]> {
    return executor.run<ErrorCodeCount>(errorCodes, [supplierId, rows]);
  }
}

function selectSuppliers({ manager }: Executor): SelectQueryBuilder<ImportSupplierEntity> {
  return manager
    .createQueryBuilder(ImportSupplierEntity, 'supplier')
    .innerJoinAndSelect('supplier.organisation', 'organisation');
}
