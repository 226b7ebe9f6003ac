import { insertProcesses, SessionDatabase, useCountingExecutor } from '@portage/testing/application';
import { EventFeedRepository } from './event-feed.repository';
import { beforeTransaction, BEGINNING } from './event-position';

/** Events of each of two suppliers. */
const STORED = 20_000;

/** Many, so that all transaction ids are below those of a new server. */
const EVENTS_OF_TRANSACTION = 200;

/** Events that are read. */
const READ = 10;

/** Pages that a statement may read for one event: the indexes of events, processes and submissions. */
const MAX_PAGES_PER_EVENT = 20;

describe('the cost of the feed, with many events of this and another supplier', () => {
  const executor = useCountingExecutor('A', 'B');
  const feed = new EventFeedRepository(new SessionDatabase(executor));
  const all = { events: undefined, limit: READ };
  const none = { events: ['CANCELLED'] as const, limit: READ };

  beforeAll(async () => {
    await feed.read({ supplierId: 1, after: BEGINNING }, all);
    await feed.read({ supplierId: 1, after: BEGINNING }, none);
    await feed.findNews([{ supplierId: 1, after: BEGINNING }]);
    await executor.client.query(`
      ${insertProcesses(`generate_series(1, ${2 * STORED}) AS n`, {
        supplier_id: '1 + n % 2',
        status: `'PROCESSED'`,
        account_number: `'A-' || n`,
      })};
      INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
      SELECT id, 1, 1, 'PROCESSED', supplier_id, id / ${EVENTS_OF_TRANSACTION} FROM import_process;`);
  });

  it.each([
    ['its beginning', 0],
    ['its middle', STORED / EVENTS_OF_TRANSACTION],
    ['its end', (2 * STORED) / EVENTS_OF_TRANSACTION],
  ])('is that of the events that are read, from %s', async (_title, transaction) => {
    const after = beforeTransaction(String(transaction));
    const { events } = await executor.within(
      READ * MAX_PAGES_PER_EVENT,
      feed.read({ supplierId: 1, after }, all),
    );
    expect(events.length).toBeGreaterThan(0);
  });

  it('is bounded where a filter finds nothing, and the position moves on', async () => {
    // At most a page of the table for each event that was looked at.
    const first = await executor.within(12_000, feed.read({ supplierId: 1, after: BEGINNING }, none));
    expect(first).toMatchObject({ events: [], isExhausted: false });
    const second = await feed.read({ supplierId: 1, after: first.next }, none);
    expect(second).toMatchObject({ events: [], isExhausted: false });
    expect((await feed.read({ supplierId: 1, after: second.next }, none)).isExhausted).toBe(true);
  });

  it('is a few pages for each supplier that is looked at for news', async () => {
    const end = beforeTransaction(String(10 * STORED));
    const followed = Array.from({ length: 50 }, () => ({ supplierId: 2, after: end }));
    expect(await executor.within(50 * 10, feed.findNews(followed))).toEqual([]);
    expect(await feed.findNews([{ supplierId: 2, after: BEGINNING }])).toEqual([2]);
  });
});
