import { setMaxListeners } from 'node:events';
import { Database, Logger, PortageError, type Statement, Throttled } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { until, untilFeedIsCurrent } from '@portage/testing';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { Client } from 'pg';
import { EventFeedRepository } from './event-feed.repository';
import { EventArrivals } from './event-arrivals';
import { FeedMetrics } from './feed-metrics';
import { EventFeedHold } from './event-feed-hold';
import { type EventsRequest, ReadEvents } from './read-events';

const test = useApplication();
const stored = new StoredProcesses(test);
let events: ReadEvents;

beforeAll(async () => {
  events = test.app.get(ReadEvents);
});

const never = new AbortController().signal;
setMaxListeners(60, never);

const request = (more: Partial<EventsRequest> = {}): EventsRequest => ({
  organisationId: test.organisationId,
  supplierCode: test.supplier.code,
  after: undefined,
  types: undefined,
  limit: 100,
  waitMs: 0,
  ...more,
});

const caughtUp = async () => untilFeedIsCurrent(async (text) => stored.sql(text));

const waiting = async (count: number): Promise<void> =>
  until(
    async () => Promise.resolve(test.app.get(EventArrivals).waitingCount === count),
    () => `${test.app.get(EventArrivals).waitingCount} wait`,
  );

/** Counts the statements of all readers. */
function countStatements(): { names: string[]; stop: () => void } {
  const names: string[] = [];
  const database = test.app.get(Database);
  const run = database.run.bind(database);
  const spy = jest.spyOn(database, 'run').mockImplementation(async (statement: Statement, values) => {
    names.push(statement.name);
    return run(statement, values);
  });
  const stop = () => {
    spy.mockRestore();
  };
  return { names, stop };
}

describe('a reader that waits', () => {
  it('gets an event of any of the suppliers that it follows within a second of the commit', async () => {
    const suppliers = Array.from({ length: 19 }, (_, index) => `FOLLOWED-${index}`);
    for (const code of suppliers) await test.app.get(ImportSuppliers).create(code, 'Supplier Ltd', {});
    await caughtUp();
    const end = new AbortController();
    setMaxListeners(60, end.signal);
    const reads = [test.supplier.code, ...suppliers].map(async (supplierCode) => {
      const { next } = await events.read(request({ supplierCode, after: 'now' }), never);
      return events.read(
        request({ supplierCode, after: next, waitMs: 20_000 }),
        supplierCode === test.supplier.code ? never : end.signal,
      );
    });
    await waiting(20);
    await stored.inState('CANCELLED', { externalAccountNumber: 'W-1' });
    // Transactions of other suites may hold it back until then.
    await caughtUp();
    const visible = performance.now();
    const answer = await reads[0]!;
    expect(performance.now() - visible).toBeLessThan(10_000);
    expect(answer.events).toMatchObject([{ data: { external_account_number: 'W-1' } }]);
    end.abort();
    for (const read of reads.slice(1)) expect((await read).events).toEqual([]);
  });

  it('costs no statement of its own: one at an interval for all of them, and none without readers', async () => {
    await caughtUp();
    const { next } = await events.read(request({ after: 'now' }), never);
    const end = new AbortController();
    setMaxListeners(60, end.signal);
    const reads = Array.from({ length: 50 }, async () =>
      events.read(request({ after: next, waitMs: 20_000 }), end.signal),
    );
    await waiting(50);
    const { names, stop } = countStatements();
    const start = performance.now();
    await until(
      () => names.length >= 3,
      () => `statements: ${names.join()}`,
    );
    expect(new Set(names)).toEqual(new Set(['find-new-events']));
    expect(names.length).toBeLessThanOrEqual(
      (performance.now() - start) / test.app.get(EventArrivals)['polling'].intervalMs + 1,
    );
    end.abort();
    for (const { events: found, next: cursor } of await Promise.all(reads))
      expect([found, typeof cursor]).toEqual([[], 'string']);
    await waiting(0);
    // A look that had begun ends.
    await until(() => test.app.get(EventArrivals)['timer'] === undefined, 'feeds are still watched');
    stop();
  });

  it('is refused with Retry-After if too many wait in the process', async () => {
    const arrivals = new EventArrivals(test.app.get(EventFeedRepository), test.app.get(Logger), {
      intervalMs: 10_000,
      maxWaiting: 1,
    });
    const after = await test.app.get(EventFeedRepository).readHorizon();
    const end = new AbortController();
    const first = arrivals.wait({ supplierId: 1, after }, 10_000, end.signal);
    await expect(arrivals.wait({ supplierId: 1, after }, 10_000, never)).rejects.toThrow(Throttled);
    end.abort();
    await first;
    arrivals.onApplicationShutdown();
  });
});

describe('a request for events', () => {
  it('has the same answer whenever it is repeated, and goes on from its cursor', async () => {
    for (const number of ['R-1', 'R-2', 'R-3'])
      await stored.inState('ERRORED', { externalAccountNumber: number });
    await caughtUp();
    const first = await events.read(request({ limit: 2 }), never);
    expect(await events.read(request({ limit: 2 }), never)).toEqual(first);
    const rest = await events.read(request({ after: first.next }), never);
    const whole = await events.read(request(), never);
    expect([...first.events, ...rest.events]).toEqual(whole.events);
    expect(whole.events.at(-1)).toMatchObject({
      type: 'data_import.import_process.error-v1',
      data: { error: { code: 'error', detail: 'Words.', domain: 'import_process' } },
    });
  });

  it('shows an erased account without its identifier, and the error of a replaced version in standard words', async () => {
    const { processId } = await stored.inState('ERRORED', {
      externalAccountNumber: 'X-1',
      externalIdentifier: 'secret',
    });
    await caughtUp();
    const { next } = await events.read(request({ after: 'now' }), never);
    await stored.sql(
      `UPDATE import_process SET payload_hash = '', version = 2, status = 'CANCELLED', error_code = NULL, error_detail = NULL WHERE id = $1`,
      [processId],
    );
    await caughtUp();
    const { events: all } = await events.read(request(), never);
    const erased = all.find(
      ({ data }) => 'external_account_number' in data && data.external_account_number === 'X-1',
    );
    expect(erased?.data).toMatchObject({
      external_identifier: null,
      error: { code: 'error', detail: expect.stringMatching(/^An? .+\.$/) as string },
    });
    expect(next).toEqual(expect.any(String));
  });

  it.each([
    ['an unknown supplier', { supplierCode: 'UNKNOWN' }, 'not_found'],
    ['a cursor of other origin', { after: 'MjAyNg' }, 'validation_error'],
  ])('is refused for %s', async (_title, more, code) => {
    await expect(events.read(request(more), never)).rejects.toMatchObject({ code });
    await expect(events.read(request(more), never)).rejects.toBeInstanceOf(PortageError);
  });
});

describe('the metric of what holds the feed back', () => {
  it('is the age of a transaction that is left open, also in another database, and 0 without one', async () => {
    const [hold, metrics] = [test.app.get(EventFeedHold), test.app.get(FeedMetrics)];
    const value = async () => {
      await hold.observe();
      return (await metrics.heldBack.get()).values[0]?.value ?? NaN;
    };
    const url = new URL(test.databaseUrl);
    url.pathname = '/postgres';
    const foreign = new Client({ connectionString: url.href });
    await foreign.connect();
    try {
      await foreign.query('BEGIN');
      await foreign.query('SELECT pg_current_xact_id()');
      // Nothing is held back before a later transaction has ended.
      await stored.sql('SELECT pg_current_xact_id()');
      await until(async () => (await value()) > 0.25, 'not held back');
      await foreign.query('ROLLBACK');
      // Transactions of other suites are short.
      await until(async () => (await value()) < 0.25, 'still held back');
    } finally {
      await foreign.end();
    }
  });
});
