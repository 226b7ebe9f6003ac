import type { Client } from 'pg';

/**
 * The distance to the positions of the server that a dump was taken from. A reader that has read events there which the
 * dump does not have is behind every event that is written from now on.
 */
const DISTANCE = 2n ** 32n;

/**
 * Makes the positions of new events follow those of all stored ones. After a dump was restored into a server whose
 * transaction ids are lower, new events would be before those that readers have seen, and stored ones would stay hidden
 * until the ids had grown. Does nothing otherwise.
 *
 * @returns true if positions were changed
 */
export async function realignEventFeed(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ newest: string; next: string; next_id: string }>(`
    SELECT coalesce(max(newest), 0) AS newest,
      event_feed_horizon() - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        + pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next,
      pg_snapshot_xmax(pg_current_snapshot()) AS next_id
    FROM import_supplier supplier CROSS JOIN LATERAL (VALUES
      ((SELECT max(transaction_id) FROM import_process_event WHERE supplier_id = supplier.id)),
      ((SELECT max(transaction_id) FROM submission_event WHERE supplier_id = supplier.id))
    ) of_source (newest)`);
  const [found] = rows;
  if (!found || BigInt(found.newest) < BigInt(found.next)) return false;
  const offset = BigInt(found.newest) + DISTANCE - BigInt(found.next_id);
  await client.query(`
    CREATE OR REPLACE FUNCTION event_transaction_id() RETURNS bigint LANGUAGE sql STABLE
      RETURN pg_current_xact_id()::text::bigint + ${offset};
    CREATE OR REPLACE FUNCTION event_feed_horizon() RETURNS bigint LANGUAGE sql STABLE
      RETURN pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${offset}`);
  return true;
}
