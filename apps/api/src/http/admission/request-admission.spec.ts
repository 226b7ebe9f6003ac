import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portage/platform';
import { until } from '@portage/testing/until';
import type { Caller } from '@portage/tenants';
import fastify, { type FastifyInstance } from 'fastify';
import { ErrorFilter } from '../error-filter';
import { registerJsonParser } from '../json-body';
import { estimateMemory, JSON_BODY_LIMITS } from './body-limits';
import { RequestAdmission } from './request-admission';

/** With four connections, an organisation may post two requests for notes at once. */
const POOLS = { DATABASE_POOL: 4, WORKER_CONCURRENCY: 16 };
const MAX_BODY_BYTES = 12_000_000;
/** The memory of one organisation, which is half of all: two of these bodies, and less than three. */
const BODY_BYTES = 10_000_000;
const TOTAL = 2 * Math.max(estimateMemory(MAX_BODY_BYTES, JSON_BODY_LIMITS.values), 2.5 * 3 * BODY_BYTES);

const KINDS = ['accounts', 'transactions', 'others'] as const;

let server: FastifyInstance;
let port: number;
/** Ends the handlers that wait. */
let finish: () => void;
/** The handlers of requests for notes that run. Each ends when it is called. */
let running: (() => void)[];
/** Requests whose body was read. */
let parsed: number;

beforeEach(async () => {
  running = [];
  parsed = 0;
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const admission = new RequestAdmission({ ...POOLS, MAX_BODY_BYTES, MAX_BODY_MEMORY_BYTES: TOTAL });
  const logger = { warn: () => undefined, error: () => undefined } as unknown as Logger;
  const errors = new ErrorFilter(logger);
  server = fastify({ bodyLimit: MAX_BODY_BYTES });
  registerJsonParser(server, admission);
  server.setErrorHandler((error, request, reply) => {
    errors.sendError(error, request, reply);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const organisation = request.headers['x-organisation'];
    request.caller = organisation ? ({ organisationId: Number(organisation) } as Caller) : null;
    done();
  });
  admission.register(server);
  server.addHook('preValidation', (_request, _reply, done) => {
    parsed += 1;
    done();
  });
  // A large request is as heavy as many, so that an organisation has one of each kind at a time.
  for (const requestKind of KINDS) {
    server.post(`/${requestKind}/wait`, { config: { requestKind } }, async () => {
      await gate;
      return {};
    });
    server.post(`/${requestKind}`, { config: { requestKind } }, async () => ({}));
  }
  server.post('/notes', { config: { requestKind: 'notes-and-statements' } }, async () => {
    await new Promise<void>((resolve) => running.push(resolve));
    return {};
  });
  server.setNotFoundHandler(async (_request, reply) => reply.status(404).send({ code: 'not_found' }));
  await server.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = server.server.address() as { port: number });
});
afterEach(async () => {
  finish();
  for (const end of running) end();
  server.server.closeAllConnections();
  await server.close();
});

interface Sending {
  socket: Socket;
  /** The status, the headers and the code of the first answer. */
  answer: Promise<{ status: number; head: string; code: string | undefined }>;
}

/** Sends bytes and leaves the connection open. */
function send(text: string): Sending {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  const answer = new Promise<Awaited<Sending['answer']>>((resolve) => {
    let received = '';
    const settle = () => {
      const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? [];
      const [head = '', body = ''] = received.split('\r\n\r\n');
      const code = /"code":"(\w+)"/.exec(body)?.[1];
      resolve({ status: Number(status), head, code });
    };
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (/\r\n\r\n[^]*\}$/.test(received)) settle();
    });
    socket.on('error', () => undefined);
    socket.on('close', settle);
  });
  return { socket, answer };
}

const head = (path: string, organisation: number | undefined, length: number | 'chunked') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
  (organisation === undefined ? '' : `X-Organisation: ${organisation}\r\n`) +
  (length === 'chunked' ? 'Transfer-Encoding: chunked\r\n\r\n' : `Content-Length: ${length}\r\n\r\n`);

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const post = async (organisation: number | undefined, body: string, path = '/others') => {
  const { answer, socket } = send(head(path, organisation, body.length) + body);
  const answered = await answer;
  socket.destroy();
  return answered;
};

const ofLength = (length: number) => `{"text":"${'x'.repeat(length - 11)}"}`;

/** Waits until a body of the organisation has this status: 200 once memory is released, another while it is held. */
async function untilAnswered(
  status: number,
  organisation: number | undefined,
  body = ofLength(BODY_BYTES),
): Promise<void> {
  let last = 0;
  await until(
    async () => (last = (await post(organisation, body)).status) === status,
    () => `The last answer was ${last}.`,
  );
}

/** Waits until the bodies of so many requests have been read. */
const untilParsed = async (count: number) =>
  until(
    () => parsed === count,
    () => `${parsed} were read`,
  );

describe('the memory of bodies', () => {
  it('is limited for each organisation by Content-Length, before a body is read: 429', async () => {
    const held = ['/accounts', '/transactions'].map((path) => send(`${head(path, 1, BODY_BYTES)}{`));
    await untilAnswered(429, 1);
    const refused = await send(head('/others', 1, BODY_BYTES)).answer;
    expect([refused.status, refused.code]).toEqual([429, 'throttled']);
    expect(refused.head).toMatch(/retry-after: \d+/i);
    expect((await post(1, '{}')).status).toBe(200);
    expect((await post(2, ofLength(BODY_BYTES))).status).toBe(200);
    for (const { socket } of held) socket.destroy();
    await untilAnswered(200, 1);
  });

  it('is limited for the process: 503', async () => {
    for (const organisation of [1, 2, 3, 4]) send(`${head('/others', organisation, BODY_BYTES)}{`);
    send(`${head('/others', 5, BODY_BYTES)}{`);
    await untilAnswered(503, 6);
    const refused = await send(head('/others', 6, BODY_BYTES)).answer;
    expect([refused.status, refused.code]).toEqual([503, 'unavailable']);
    expect(refused.head).toMatch(/retry-after: \d+/i);
  });

  it('is limited while a body without Content-Length arrives', async () => {
    for (const path of ['/accounts', '/transactions']) send(`${head(path, 1, BODY_BYTES)}{`);
    await untilAnswered(429, 1);
    const { answer, socket } = send(head('/others', 1, 'chunked') + chunked('{"text":"'));
    for (let sent = 0; sent < 9 && socket.writable; sent += 1) {
      socket.write(chunked('x'.repeat(1_000_000)));
      await sleep(10);
    }
    expect(await answer).toMatchObject({ status: 429, code: 'throttled' });
  });

  it('is held until the handler ends, although its client has gone before', async () => {
    const held = ['/accounts/wait', '/transactions/wait'].map((path) =>
      send(head(path, 1, BODY_BYTES) + ofLength(BODY_BYTES)),
    );
    await untilParsed(2);
    for (const { socket } of held) socket.destroy();
    await sleep(100);
    expect((await send(head('/others', 1, BODY_BYTES)).answer).status).toBe(429);
    finish();
    await untilAnswered(200, 1);
  });

  it('is estimated again before a body is parsed, by its values and keys', async () => {
    const body = `{"text":"${'x'.repeat(2_000_000)}","tiny":[${'[],'.repeat(200_000)}1]}`;
    const held = ['/accounts/wait', '/transactions/wait'].map((path) =>
      send(head(path, 1, body.length) + body),
    );
    await untilParsed(2);
    expect(await post(1, body, '/others/wait')).toMatchObject({ status: 429, code: 'throttled' });
    finish();
    for (const { answer } of held) expect((await answer).status).toBe(200);
    await untilAnswered(200, 1);
  });

  it('is released by every end of a request', async () => {
    for (const body of ['{', '[]', '{}', `{"deep":${'['.repeat(100)}`, ofLength(BODY_BYTES)])
      await post(1, body);
    send(`${head('/others', 1, BODY_BYTES)}{`).socket.destroy();
    await untilAnswered(200, 1);
    await untilAnswered(200, 1);
  });
});

describe('a body', () => {
  it('a body with more than 500,000 values and keys is refused before it has arrived', async () => {
    const tiny = `{"tiny":[${'{},'.repeat(300_000)}`;
    const answered = await send(head('/others', 1, BODY_BYTES) + tiny).answer;
    expect(answered).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('a body with many values and keys, and not too many, is accepted', async () => {
    expect((await post(1, `{"tiny":[${'{},'.repeat(249_000)}1]}`)).status).toBe(200);
  });

  it.each(['['.repeat(100_000), '{"a":'.repeat(65)])(
    'a body that is nested too deeply is refused',
    async (deep) => {
      const answered = await send(head('/others', 1, BODY_BYTES) + `{"deep":${deep}`).answer;
      expect(answered).toMatchObject({ status: 400, code: 'parse_error' });
    },
  );

  it('larger than the limit is refused, with and without Content-Length', async () => {
    const announced = await send(head('/others', 1, MAX_BODY_BYTES + 1)).answer;
    expect(announced).toMatchObject({ status: 413, code: 'payload_too_large' });
    const { answer, socket } = send(head('/others', 1, 'chunked') + chunked('{"text":"'));
    for (let sent = 0; sent < 13 && socket.writable; sent += 1) {
      socket.write(chunked('x'.repeat(1_000_000)));
      await sleep(10);
    }
    expect(await answer).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('a body that is divided inside of characters and escape sequences is read unchanged', async () => {
    const text = JSON.stringify({ text: 'é€😀 "quoted" \\' });
    const bytes = Buffer.from(text);
    const { answer, socket } = send(head('/others', 1, bytes.length));
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await sleep(1);
    }
    expect((await answer).status).toBe(200);
  });

  it('an incomplete body is refused', async () => {
    const { answer, socket } = send(`${head('/others', 1, 100)}{}`);
    await sleep(50);
    socket.end();
    expect((await answer).status).toBe(400);
  });
});

describe('a stranger', () => {
  it('may send a small body', async () => {
    expect((await post(undefined, ofLength(16_000))).status).toBe(200);
    const announced = await send(head('/others', undefined, 16_385)).answer;
    expect(announced).toMatchObject({ status: 413, code: 'payload_too_large' });
    const arriving = await send(
      head('/others', undefined, 'chunked') + chunked(`{"text":"${'x'.repeat(20_000)}`),
    ).answer;
    expect(arriving).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('sends no body to an address that does not exist', async () => {
    expect(await send(head('/nowhere', undefined, 16_000)).answer).toMatchObject({ status: 404 });
    expect(await send(head('/nowhere', 1, BODY_BYTES)).answer).toMatchObject({ status: 404 });
  });

  it('strangers with many connections have a memory limit of their own, apart from suppliers', async () => {
    for (let count = 0; count < 60; count += 1) send(`${head('/others', undefined, 16_000)}{`);
    await untilAnswered(429, undefined, ofLength(16_000));
    const refused = await send(head('/others', undefined, 16_000)).answer;
    expect(refused).toMatchObject({ status: 429, code: 'throttled' });
    expect((await post(1, ofLength(BODY_BYTES))).status).toBe(200);
  });
});

describe('the concurrent requests of an organisation', () => {
  /** Starts a request for notes. It is complete only after `end`. */
  function start(contentType = 'application/json'): ClientRequest {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      path: '/notes',
      method: 'POST',
      agent: false,
      headers: { 'x-organisation': 1, 'content-type': contentType, 'content-length': 2 },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    return request;
  }

  const postNotes = (): ClientRequest => start().end('{}');

  const untilRunning = async (count: number) =>
    until(
      () => running.length === count,
      () => `${running.length} run, ${parsed} were read`,
    );

  it('does not read the body of a request above the limit before another request is answered', async () => {
    postNotes();
    postNotes();
    await untilRunning(2);
    const third = postNotes();
    await sleep(100);
    expect([running.length, parsed]).toEqual([2, 2]);
    const answered = once(third, 'response');
    running[0]?.();
    await untilRunning(3);
    running[2]?.();
    await answered;
  });

  it('keeps the place of a request that is being processed although its client has gone', async () => {
    const gone = postNotes();
    postNotes();
    await untilRunning(2);
    gone.destroy();
    postNotes();
    await sleep(100);
    expect(running).toHaveLength(2);
    running[0]?.();
    await untilRunning(3);
  });

  it('frees the place of a client that disconnects before its body has arrived', async () => {
    const incomplete = [start(), start()];
    await sleep(100);
    postNotes();
    await sleep(100);
    expect(running).toHaveLength(0);
    incomplete[0]?.destroy();
    await untilRunning(1);
  });

  it('frees the place of a request that is refused before its handler runs', async () => {
    for (let count = 0; count < 3; count += 1) {
      const request = start('text/plain').end('{}');
      await once(request, 'response');
    }
    postNotes();
    await untilRunning(1);
  });
});
