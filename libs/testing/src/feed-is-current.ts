import { until } from './until';

/** Runs a statement of a suite in its database. */
type Sql = <Row>(text: string) => Promise<Row[]>;

/**
 * Waits until the feed of events shows all that is committed. A transaction in any database of the server holds it back:
 * one of another suite, or an autovacuum.
 */
export async function untilFeedIsCurrent(sql: Sql): Promise<void> {
  const [written] = await sql<{ id: string }>('SELECT event_transaction_id() AS id');
  await until(async () => {
    const [read] = await sql<{ horizon: string }>('SELECT event_feed_horizon() AS horizon');
    return BigInt(read!.horizon) > BigInt(written!.id);
  }, 'A transaction holds the feed back.');
}
