import type { Installation } from '../environment/installation';
import { SUPPLIER } from '../environment/servers';
import { withoutSecondaryIndexes } from './indexes';
import { runOnLoadingSessions } from './sessions';

const BATCH = 100_000;

/** The minutes of the rollup are retained for a week. */
const DAYS = 7;

/** The accounts arrive at an even pace until now. */
const CREATED_AT = `now() - interval '${DAYS} days' + n * interval '${DAYS} days' / $3::bigint`;

const STATUS = `CASE WHEN n % 10 = 0 THEN 'ERRORED' WHEN n % 10 = 1 THEN 'PENDING' ELSE 'PROCESSED' END`;

const ACCOUNT_NUMBER = `'A-' || lpad(to_hex(n + 16777216), 8, '0')`;

/** The statements of a batch: $1 and $2 are the first and the last account, $3 is the number of all. */
const STATEMENTS = [
  // A tenth has an error, one in a thousand a rare one. A tenth waits: half of it for a request, half for its job, which
  // the sweeper must not add meanwhile. Half of all belong to a submission.
  `INSERT INTO import_process (id, supplier_id, is_dry_run, status, latest_event, external_account_number,
     external_identifier, payload_hash, account_number, account_created_at, error_code, error_detail, submission_id,
     staging, enqueued_at, created_at)
   OVERRIDING SYSTEM VALUE
   SELECT n, supplier.id, false, state, CASE state WHEN 'PENDING' THEN 'CREATED' ELSE state END, 'G-' || n, 'G-' || n,
     sha256(n::text::bytea), CASE state WHEN 'PROCESSED' THEN ${ACCOUNT_NUMBER} END,
     CASE state WHEN 'PROCESSED' THEN ${CREATED_AT} END,
     CASE state WHEN 'ERRORED' THEN CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'common' END END,
     CASE state WHEN 'ERRORED' THEN 'customers.0.email: "x" is not valid.' END,
     CASE WHEN n % 2 = 0 THEN submission.id END, NULL,
     CASE WHEN state = 'PENDING' AND n % 20 = 1 THEN 'infinity' ELSE now() + interval '1 day' END, ${CREATED_AT}
   FROM import_supplier supplier JOIN submission ON submission.supplier_id = supplier.id,
     generate_series($1::bigint, $2::bigint) AS n, LATERAL (SELECT ${STATUS} AS state) of_process
   WHERE supplier.code = '${SUPPLIER}'`,
  `INSERT INTO account (process_id, supplier_id, number, external_account_number, external_identifier, billing)
   SELECT n, supplier.id, ${ACCOUNT_NUMBER}, 'G-' || n, 'G-' || n, '{}'
   FROM import_supplier supplier, generate_series($1::bigint, $2::bigint) AS n
   WHERE supplier.code = '${SUPPLIER}' AND ${STATUS} = 'PROCESSED' AND $3::bigint > 0`,
  `INSERT INTO import_process_event (process_id, version, attempt, event, error_code, actor, supplier_id, transaction_id,
     occurred_at)
   SELECT n, 1, place, CASE place WHEN 0 THEN 'SCHEDULED' ELSE ${STATUS} END,
     CASE WHEN place = 1 AND n % 10 = 0 THEN CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'common' END END,
     CASE place WHEN 0 THEN 'api-key:bench' END, CASE place WHEN 1 THEN supplier.id END,
     CASE place WHEN 1 THEN event_transaction_id() END, ${CREATED_AT} + place * interval '2 seconds'
   FROM import_supplier supplier, generate_series($1::bigint, $2::bigint) AS n, generate_series(0, 1) AS place
   WHERE supplier.code = '${SUPPLIER}' AND (place = 0 OR ${STATUS} <> 'PENDING')`,
];

const TABLES = ['import_process', 'account', 'import_process_event'];

/**
 * Stores an advanced migration of one supplier, with the events and accounts that the pages of operators read, in a
 * database without processes.
 *
 * @returns the id of the submission that half of the processes belong to
 */
export async function storeMigration(
  installation: Installation,
  count: number,
  log: (progress: string) => void,
): Promise<string> {
  const [submission] = await installation.sql<{ id: string }>(
    `INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor)
     SELECT id, 'large', sha256('large'), '{}', false, 'api-key:bench' FROM import_supplier WHERE code = $1 RETURNING id`,
    [SUPPLIER],
  );
  const starts = Array.from({ length: Math.ceil(count / BATCH) }, (_, nth) => 1 + nth * BATCH);
  await withoutSecondaryIndexes(installation, TABLES, log, async () => {
    await runOnLoadingSessions(
      installation,
      starts.flatMap((first) =>
        STATEMENTS.map(
          (text) => async (client) => client.query(text, [first, Math.min(count, first + BATCH - 1), count]),
        ),
      ),
    );
  });
  await installation.sql(`SELECT setval(pg_get_serial_sequence('import_process', 'id'), $1)`, [count]);
  log('vacuum');
  for (const table of TABLES) await installation.sql(`VACUUM (ANALYZE) ${table}`);
  await installation.sql('CHECKPOINT');
  return submission?.id ?? '';
}
