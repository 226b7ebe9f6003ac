import { randomBytes } from 'node:crypto';
import { migrate } from '../../libs/platform/src/database/migrate';
import { FirstSchema1796000000000 } from '../../libs/platform/src/database/migrations/1796000000000-first-schema';
import { newDatabase } from '@portage/testing';
import { findCountDifferences } from '@portage/testing/promises';
import { Client } from 'pg';

const settings = { DATABASE_POOL: 2, DATABASE_STATEMENT_TIMEOUT_MS: 30_000 };
const withoutQueues = async () => Promise.resolve();

/** What release 1.0.0 has stored, in every state. */
const ROWS = `
  INSERT INTO organisation (name) VALUES ('Own');
  INSERT INTO import_supplier (organisation_id, code, region, creation_mode, profile, document_root, currency, time_zone,
    verify_documents, reject_undocumented_fields, send_migration_emails)
  SELECT id, name, 'GB', 'direct', 'core', name, 'GBP', 'UTC', false, false, false FROM organisation;
  INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor) VALUES (1, 'R', '', '{}', false, '');
  INSERT INTO submission_upload (submission_id, number, actor) VALUES (1, 1, '');
  INSERT INTO import_process (supplier_id, is_dry_run, status, latest_event, external_account_number, external_identifier,
    payload_hash, submission_id, error_code, staging)
  SELECT 1, false, status, 'CREATED', status || n, status || n, '', CASE n % 2 WHEN 0 THEN 1 END,
    CASE WHEN status LIKE '%ERRORED' THEN 'error_' || n END, CASE WHEN n % 3 = 0 THEN 'WAITING' END
  FROM unnest('{PENDING,IN_PROGRESS,DRY_RUN_SUCCEEDED,DRY_RUN_ERRORED,CANCELLED,ERRORED}'::text[]) AS status,
    generate_series(1, 10) AS n;
  INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
  SELECT id, 1, 1, 'POST_IMPORT_ERRORED', 1, event_transaction_id() FROM import_process WHERE id < 4;
  INSERT INTO submission_line (submission_id, upload_number, line, outcome, refused_key, errors, customers, supply_points,
    statements, transactions, opening_balance, payment_instructions, debts)
  SELECT 1, 1, n, CASE n % 3 WHEN 0 THEN 'cancelled' ELSE 'refused' END, CASE n % 3 WHEN 0 THEN NULL ELSE sha256(n::text::bytea) END,
    CASE n % 5 WHEN 0 THEN '[]' ELSE json_build_array(json_build_object('code', 'error_' || n % 5)) END, 1, 1, 1, n, n / 100.0, 1, 1
  FROM generate_series(1, 50) AS n;
  UPDATE import_process SET created_at = now() - interval '1 hour' WHERE id <= 7;
  INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id, occurred_at)
  SELECT id, 1, 1, 'PROCESSED', 1, event_transaction_id(), now() - interval '1 hour' FROM import_process WHERE id <= 5;`;

const WRITE = `
  WITH added AS (
    INSERT INTO import_process (supplier_id, is_dry_run, status, latest_event, external_account_number, external_identifier,
      payload_hash, submission_id)
    VALUES (1, false, 'PENDING', 'CREATED', $1, $1, '', 1) RETURNING id
  ) UPDATE import_process SET status = 'CANCELLED' WHERE status = 'PENDING' AND id % 2 = 0`;

it('counts what was there before the triggers while release 1.0.0 writes, with the rights of its role', async () => {
  const owner = await newDatabase('template0');
  const role = `role_${randomBytes(6).toString('hex')}`;
  const application = Object.assign(new URL(owner), { username: role, password: 'secret' }).href;
  const config = { ...settings, DATABASE_URL: application, MIGRATION_DATABASE_URL: owner };
  await migrate(config, withoutQueues, {
    timeoutMs: 50,
    maxWaitMs: 300,
    migrations: [FirstSchema1796000000000],
  });
  const clients = [
    new Client({ connectionString: owner }),
    new Client({ connectionString: application }),
  ] as const;
  await Promise.all(clients.map(async (client) => client.connect()));
  const [reader, writer] = clients;
  try {
    await reader.query(ROWS);
    let isMigrated = false;
    let written = 0;
    const writing = (async () => {
      while (!isMigrated) await writer.query(WRITE, [`W-${(written += 1)}`]);
    })();
    // At this moment the triggers are there, and the rights of the role are not granted yet.
    const writeBeforeGrants = async () => {
      await writer.query(WRITE, [`W-${(written += 1)}`]);
    };
    await migrate(config, writeBeforeGrants);
    isMigrated = true;
    await writing;
    await writer.query(WRITE, [`W-${(written += 1)}`]);
    const sql = async <Row extends object>(text: string) => (await reader.query<Row>(text)).rows;
    expect(await findCountDifferences(sql)).toEqual([]);
    const [counted] = await sql<{ count: string }>(
      `SELECT sum(count) AS count FROM import_count_change WHERE kind = 'CANCELLED'`,
    );
    expect(Number(counted!.count)).toBeGreaterThan(10);
    expect(
      await sql(
        `SELECT accepted, processed FROM import_throughput_minute WHERE at < now() - interval '30 minutes'`,
      ),
    ).toEqual([{ accepted: '7', processed: '5' }]);
    const [sums] = await sql(
      `SELECT (SELECT count(*) FROM import_process) AS received, (SELECT sum(accepted) FROM import_throughput_minute)
         + (SELECT sum(count) FROM import_count_change WHERE changed_at > '-infinity' AND kind IN ('PENDING', 'CANCELLED'))
         AS accepted`,
    );
    expect(sums).toEqual({ received: expect.any(String), accepted: (sums as { received: string }).received });
  } finally {
    await Promise.all(clients.map(async (client) => client.end()));
  }
});
