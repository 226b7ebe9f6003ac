import { type Answer, SharedPortage, anyBackend, until } from '@portage/testing';

const EVENTS = '/v2/data-import/events/';
const COMPLETE = 'data_import.import_process.complete-v1';

interface Event {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

describe('the feed of events', () => {
  const portage = SharedPortage.use(anyBackend());

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
});
