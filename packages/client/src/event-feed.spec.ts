import { hangUp, inSequence, json, type Responder, silent, TestServer } from '@portage/testing/test-server';
import { tokenReply } from '../test/token-reply';
import { createPortageClient, type Event, type PortageClient, PortageError } from './index';

const QUICK = { baseDelayMs: 5, maxDelayMs: 20, maxAttempts: 4, maxDurationMs: 5_000 };
const TOKEN = '/v1/graphql/';

let service: TestServer;
afterEach(() => service.stop());

async function clientOf(respond: Responder): Promise<PortageClient> {
  service = await TestServer.start((request, response) => {
    (request.path === TOKEN ? tokenReply('token') : respond)(request, response);
  });
  return createPortageClient({ baseUrl: service.url, apiKey: 'the-key', retry: QUICK, timeoutMs: 5_000 });
}

const event = (id: string) => ({ id }) as Event;
const page = (next: string, ...ids: string[]) => json(200, { events: ids.map(event), next });

/** The queries of the requests for events. */
const queries = () =>
  service.requests
    .filter(({ path }) => path !== TOKEN)
    .map(({ path }) => Object.fromEntries(new URL(path, 'http://service').searchParams));

describe('the events of a supplier', () => {
  it('are followed from page to page; each cursor is reported once its events were taken', async () => {
    const pages: Record<string, Responder> = { '': page('a', '1', '2'), a: page('b'), b: page('c', '3') };
    const portage = await clientOf((request, response) => {
      const after = new URL(request.path, 'http://service').searchParams.get('after') ?? '';
      (pages[after] ?? silent)(request, response);
    });
    const log: string[] = [];
    const options = { onCursor: (next: string) => void log.push(`cursor ${next}`) };
    for await (const { id } of portage.events('DEMO', options)) {
      log.push(id);
      if (id === '3') break;
    }
    expect(log).toEqual(['1', '2', 'cursor a', 'cursor b', '3']);
    expect(queries()).toEqual([
      { supplier: 'DEMO', wait: '20' },
      { supplier: 'DEMO', wait: '20', after: 'a' },
      { supplier: 'DEMO', wait: '20', after: 'b' },
    ]);
  });

  it('are read on after a lost answer, with the same cursor, so that none is missed', async () => {
    const portage = await clientOf(inSequence(hangUp, hangUp, page('b', '1')));
    for await (const one of portage.events('DEMO', { after: 'a', limit: 5 })) {
      expect(one).toEqual(event('1'));
      break;
    }
    // One that the service could have held, and the retries of one that it does not hold.
    expect(queries().map((query) => query['wait'])).toEqual(['20', '0', '0', '0']);
    expect(new Set(queries().map((query) => query['after']))).toEqual(new Set(['a']));
  });

  it('are no more waited for when the signal is aborted, also within a held request', async () => {
    const portage = await clientOf(silent);
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 50);
    const taken: Event[] = [];
    for await (const one of portage.events('DEMO', { after: 'now', signal: stop.signal })) taken.push(one);
    expect(taken).toEqual([]);
  });

  it('end with the error of the service if a cursor is refused', async () => {
    const portage = await clientOf(json(400, { code: 'validation_error', detail: 'No.' }));
    const iteration = portage.events('DEMO', { after: 'x' });
    await expect(iteration.next()).rejects.toBeInstanceOf(PortageError);
  });
});
