import { type Answer, SharedPortage, anyBackend, until } from '@portage/testing';

const EVENTS = '/v2/data-import/events/';
const COMPLETE = 'data_import.import_process.complete-v1';
const CANCELLED = 'data_import.import_process.cancelled-v1';

interface Event {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

describe('the feed of events', () => {
  const portage = SharedPortage.use(anyBackend());

  afterAll(async () => {
    expect(portage.failedRequests()).toEqual([]);
  });

  const read = async (query: Record<string, string | number> = {}): Promise<Answer> => {
    const given = new URLSearchParams({ supplier: portage.supplier });
    for (const [name, value] of Object.entries(query)) given.set(name, String(value));
    return portage.get(`${EVENTS}?${given.toString()}`);
  };
  const now = async (): Promise<string> => (await read({ after: 'now' })).body.next as string;

  /** Follows the feed until it has shown `count` events. */
  async function follow(
    after: string,
    count: number,
    query: Record<string, string | number> = {},
  ): Promise<Event[]> {
    const events: Event[] = [];
    await until(
      async () => {
        const { body, status } = await read({ wait: 5, ...query, after });
        expect(status).toBe(200);
        events.push(...(body.events as Event[]));
        after = body.next as string;
        return events.length >= count;
      },
      () => JSON.stringify(events),
    );
    return events;
  }

  const post = async (number: string, more: object = {}): Promise<Answer> =>
    portage.post('/v2/data-import/accounts/', portage.account(number, more));

  it('shows what happened to accounts, from a cursor on, in pages of any size', async () => {
    const start = await now();
    const numbers = ['F-1', 'F-2', 'F-3', 'F-4', 'F-5'];
    for (const number of numbers) expect((await post(number)).status).toBe(201);
    const events = await follow(start, numbers.length);
    expect(events.map(({ type }) => type)).toEqual(numbers.map(() => COMPLETE));
    expect(events.map(({ data }) => data['external_account_number'] as string).sort()).toEqual(numbers);
    expect(new Set(events.map(({ id }) => id)).size).toBe(numbers.length);
    for (const { data, timestamp } of events) {
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
      expect(data).toEqual({
        import_supplier: portage.supplier,
        external_account_number: data['external_account_number'] as string,
        external_identifier: data['external_account_number'] as string,
        platform_account_number: expect.stringMatching(/^A-/) as string,
        submission: null,
        error: null,
      });
    }
    for (const limit of [1, 2])
      expect(await follow(start, numbers.length, { limit, wait: 0 })).toEqual(events);
    expect((await read({ limit: 5_000 })).body.events).toEqual(expect.arrayContaining(events));
  });

  it('answers a held request within a second of the commit, and an idle one with a cursor', async () => {
    const before = await now();
    await post('F-HELD');
    await follow(before, 1);
    const start = await now();
    const began = performance.now();
    const idle = await read({ after: start, wait: 1 });
    expect(idle.body.events).toEqual([]);
    expect(performance.now() - began).toBeGreaterThan(900);
    const held = read({ after: idle.body.next as string, wait: 20 });
    await portage.sql(
      `INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
       SELECT id, 90, 0, 'CANCELLED', supplier_id, event_transaction_id() FROM import_process WHERE external_account_number = 'F-HELD' AND supplier_id =
         (SELECT id FROM import_supplier WHERE code = $1)`,
      [portage.supplier],
    );
    const committed = performance.now();
    expect((await held).body.events).toMatchObject([{ type: CANCELLED }]);
    // Other suites use the server at the same time, and any of their transactions holds the feed back.
    expect(performance.now() - committed).toBeLessThan(15_000);
  });

  it('refuses parameters that are not valid with an error for each', async () => {
    const { status, body } = await portage.get(`${EVENTS}?after=yesterday&types=created&limit=0&wait=60`);
    expect([status, body.code]).toEqual([400, 'validation_error']);
    expect((body.errors as { attr: string }[]).map(({ attr }) => attr)).toEqual([
      'supplier',
      'types',
      'limit',
      'wait',
    ]);
    const cursor = await read({ after: 'yesterday' });
    expect([cursor.status, cursor.body.errors[0].attr]).toEqual([400, 'after']);
    const sql = 'SELECT id FROM import_supplier WHERE code = $1';
    const [supplier] = await portage.sql<{ id: number }>(sql, [portage.supplier]);
    const cursorAt = (id: number) =>
      Buffer.from(`2.${id}.9000000000000000000.0.0.0.0.`).toString('base64url');
    const ofOther = await read({ after: cursorAt(supplier!.id + 1) });
    expect([ofOther.status, ofOther.body.errors[0].detail]).toEqual([
      400,
      expect.stringContaining('of the same supplier'),
    ]);
    const ahead = cursorAt(supplier!.id);
    expect((await read({ after: ahead })).body.errors[0].detail).toContain('ahead of the feed');
  });
});
