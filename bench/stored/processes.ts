import type { Installation } from '../environment/installation';
import { SUPPLIER } from '../environment/servers';

const BATCH = 100_000;

/** The distribution of statuses in an advanced migration, as cumulative percentages. */
const SHARES = [
  { status: 'PROCESSED', upTo: 80 },
  { status: 'PENDING', upTo: 94 },
  { status: 'IN_PROGRESS', upTo: 95 },
  { status: 'ERRORED', upTo: 99 },
  { status: 'CANCELLED', upTo: 100 },
];

const statusOf = `CASE ${SHARES.map(({ status, upTo }) => `WHEN nth * 37 % 100 < ${upTo} THEN '${status}'`).join(' ')} END`;

// Numbers are distributed over their index, as those of real suppliers.
const storeBatch = `
  INSERT INTO import_process (supplier_id, is_dry_run, status, latest_event, external_account_number,
    external_identifier, payload_hash, account_number, account_created_at, error_code, error_detail)
  SELECT supplier.id, false, state,
    CASE WHEN state IN ('PROCESSED', 'ERRORED') THEN state ELSE 'CREATED' END,
    name, name, sha256(name::bytea),
    CASE state WHEN 'PROCESSED' THEN 'A-' || lpad(to_hex(nth), 8, '0') END,
    CASE state WHEN 'PROCESSED' THEN now() END,
    CASE state WHEN 'ERRORED' THEN 'duplicate_account_reference' END,
    CASE state WHEN 'ERRORED' THEN 'Another account has this reference.' END
  FROM import_supplier supplier, generate_series($2::bigint, $3::bigint) AS nth,
    LATERAL (SELECT ${statusOf} AS state, 'BENCH-' || left(md5(nth::text), 16) AS name) AS made
  WHERE supplier.code = $1
  ORDER BY nth`;

/** Stores processes in all statuses, without accounts, in a database without processes. */
export async function storeProcesses(installation: Installation, count: number): Promise<void> {
  for (let first = 1; first <= count; first += BATCH)
    await installation.sql(storeBatch, [SUPPLIER, first, Math.min(count, first + BATCH - 1)]);
  // Otherwise autovacuum would run during the measurement.
  await installation.sql('VACUUM (ANALYZE) import_process');
  await installation.sql('CHECKPOINT');
}
