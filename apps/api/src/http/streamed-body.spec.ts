import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { PortageError } from '@portage/platform';
import { until } from '@portage/testing/until';
import { fastify, type FastifyInstance } from 'fastify';
import { handleClientError, handleStalledConnection } from './client-error';
import { LINES_MEDIA_TYPE, StreamedBody } from './streamed-body';
import { registerUnreadBodies } from './unread-body';

const STALLED_MS = 30_000;
const REQUEST_TIMEOUT_MS = 500;
/** A connection on which no byte moves for this long is closed, if its client is the cause. */
const STALLED_CONNECTION_MS = 300;

let server: FastifyInstance;
let isClosing = false;
/** The time of the body's clock. */
let now = 0;
/** Reads one body and returns the number of its bytes. */
let handle: (body: StreamedBody) => Promise<number>;

const readAll = async (body: StreamedBody): Promise<number> => {
  let bytes = 0;
  for (let chunk = await body.read(20); chunk !== undefined; chunk = await body.read(20))
    if (Buffer.isBuffer(chunk)) bytes += chunk.length;
  return bytes;
};

beforeAll(async () => {
  server = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STALLED_CONNECTION_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 50 },
    clientErrorHandler: handleClientError,
  });
  registerUnreadBodies(server);
  server.server.on('timeout', handleStalledConnection);
  server.addContentTypeParser(LINES_MEDIA_TYPE, (_request, payload, done) => {
    done(null, payload);
  });
  server.post('/', async (request, reply) => {
    const body = new StreamedBody(
      request,
      reply,
      () => isClosing,
      STALLED_MS,
      () => now,
    );
    try {
      return { bytes: await handle(body) };
    } catch (error) {
      return { code: error instanceof PortageError ? error.code : String(error) };
    } finally {
      body.close();
    }
  });
  server.get('/slow', async () => {
    await sleep(3 * STALLED_CONNECTION_MS);
    return { bytes: 0 };
  });
  server.get('/long', async (_request, reply) =>
    reply.send(Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(1 << 20)))),
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
});
beforeEach(() => {
  isClosing = false;
  handle = readAll;
});

/** Begins a request. Returns it, and the body of its answer. */
function begin(headers: Record<string, string> = {}) {
  const { port } = server.server.address() as AddressInfo;
  const request = httpRequest(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': LINES_MEDIA_TYPE, ...headers },
  });
  const answer = new Promise<unknown>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += String(chunk)));
      response.on('end', () => {
        resolve(JSON.parse(text));
      });
    });
  });
  return { request, answer };
}

it('is read for longer than the time limit of other requests, while its sender sends something', async () => {
  const { request, answer } = begin();
  const end = performance.now() + 2 * REQUEST_TIMEOUT_MS;
  let parts = 0;
  await until(
    () => {
      request.write('line\n');
      parts += 1;
      return performance.now() > end;
    },
    'The time has not passed.',
    10 * REQUEST_TIMEOUT_MS,
  );
  request.end();
  expect(await answer).toEqual({ bytes: parts * 5 });
});

it('is accepted for as long as that takes, although nothing moves on its connection', async () => {
  handle = async (body) => {
    const bytes = await readAll(body);
    await sleep(3 * STALLED_CONNECTION_MS);
    return bytes;
  };
  const { request, answer } = begin();
  request.end('line\n');
  expect(await answer).toEqual({ bytes: 5 });
});

describe('a connection on which no byte moves', () => {
  const get = async (path: string) => {
    const { port } = server.server.address() as AddressInfo;
    const [response] = (await once(
      httpRequest({ host: '127.0.0.1', port, path, agent: false }).end(),
      'response',
    )) as [IncomingMessage];
    return response;
  };

  it('stays open while the service works on its request', async () => {
    expect((await get('/slow')).statusCode).toBe(200);
  });

  it('is closed if its client does not read its answer', async () => {
    const response = await get('/long');
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    response.on('error', () => undefined).pause();
    await sleep(3 * STALLED_CONNECTION_MS);
    response.resume();
    await closed;
    expect(response.complete).toBe(false);
  });
});

it('ends when its sender has sent nothing for a time, and the sender gets an answer', async () => {
  let idleMs = 0;
  handle = async (body) => {
    await body.read(1_000);
    for (;;) {
      await body.read(1);
      now += 1_000;
      idleMs += 1_000;
    }
  };
  const { request, answer } = begin();
  request.write('line\n');
  expect(await answer).toEqual({ code: 'upload_stalled' });
  expect(idleMs).toBe(STALLED_MS);
  request.destroy();
});

it('does not blame its sender for the time in which nothing read it', async () => {
  handle = async (body) => {
    const first = await body.read(1_000);
    now += 2 * STALLED_MS;
    expect(await body.read(1)).toBe('idle');
    request.end('line\n');
    return (first as Buffer).length + (await readAll(body));
  };
  const { request, answer } = begin();
  request.write('line\n');
  expect(await answer).toEqual({ bytes: 10 });
});

it('slows its sender down while nothing reads it', async () => {
  let resume: () => void = () => undefined;
  handle = async (body) => {
    const first = await body.read(1_000);
    await new Promise<void>((resolve) => (resume = resolve));
    return (first as Buffer).length + (await readAll(body));
  };
  const { request, answer } = begin();
  const part = Buffer.alloc(1 << 20, 'x');
  const parts = 64;
  let written = 0;
  const writing = (async () => {
    for (; written < parts; written += 1)
      if (!request.write(part)) await new Promise((resolve) => request.once('drain', resolve));
    request.end();
  })();
  let lastWritten = -1;
  await until(
    () => {
      const isHeldUp = written > 0 && written === lastWritten;
      lastWritten = written;
      return isHeldUp;
    },
    () => `${written} parts were written`,
  );
  expect(written).toBeLessThan(parts / 2);
  resume();
  await writing;
  expect(await answer).toEqual({ bytes: parts * part.length });
});

it('is not read further once it is refused, and its sender gets the answer', async () => {
  handle = async () => Promise.reject(new PortageError('submission_not_open', 'Words.'));
  const { request, answer } = begin();
  request.write(Buffer.alloc(5_000_000, 'x'));
  expect(await answer).toEqual({ code: 'submission_not_open' });
  request.destroy();
});

it('ends when the process stops', async () => {
  handle = async (body) => {
    await body.read(1_000);
    isClosing = true;
    return readAll(body);
  };
  const { request, answer } = begin();
  request.write('line\n');
  expect(await answer).toEqual({ code: 'unavailable' });
  request.destroy();
});

it('ends when its sender is gone, although all of it has arrived', async () => {
  let outcome: unknown;
  handle = async (body) => {
    await body.read(1_000);
    await sleep(200);
    try {
      return await readAll(body);
    } catch (error) {
      outcome = error;
      throw error;
    }
  };
  const { request, answer } = begin({ 'content-encoding': 'gzip' });
  answer.catch(() => undefined);
  request.end(gzipSync(Buffer.alloc(200_000, 'x')));
  await sleep(100);
  request.destroy();
  await sleep(300);
  expect(outcome).toMatchObject({
    code: 'parse_error',
    message: expect.stringContaining('connection was lost'),
  });
});

describe('a compressed one', () => {
  const send = async (bytes: Buffer) => {
    const { request, answer } = begin({ 'content-encoding': 'gzip' });
    request.end(gzipSync(bytes));
    return answer;
  };

  it('may unpack to many times its size at its start', async () => {
    expect(await send(Buffer.alloc(256 << 10, 'x'))).toEqual({ bytes: 256 << 10 });
  });

  it('may not unpack to more than text does', async () => {
    expect(await send(Buffer.alloc(2_000_000, '1\n'))).toEqual({ code: 'parse_error' });
  });

  it('may have a long line that unpacks to more, which is cut, and the lines after it are read', async () => {
    const texts: string[] = [];
    handle = async (body) => {
      for (let chunk = await body.read(5_000); chunk; chunk = await body.read(5_000))
        texts.push(typeof chunk === 'string' ? chunk : chunk.toString());
      return 0;
    };
    const lines = [Buffer.from('first\n'), Buffer.alloc(50 << 20, 'x'), Buffer.from('\nlast\n')];
    expect(await send(Buffer.concat(lines))).toEqual({ bytes: 0 });
    expect(texts.filter((text) => text === 'cut')).toHaveLength(1);
    expect(texts.join('').replaceAll('x', '')).toBe('first\ncut\nlast\n');
    expect(await send(Buffer.alloc(100 << 20, 'x'))).toEqual({ code: 'parse_error' });
  });
});
