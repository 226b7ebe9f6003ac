import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import fastify, { type FastifyInstance } from 'fastify';
import { storeCaller } from '../caller';
import { ErrorFilter } from '../error-filter';
import { registerJsonParser } from '../json-body';
import { BodyAdmission } from './body-admission';
import { estimateMemory, JSON_BODY_LIMITS } from './body-limits';

const MAX_BODY_BYTES = 12_000_000;
/** The memory of one organisation, which is half of all: two of these bodies, and less than three. */
const BODY_BYTES = 10_000_000;
const TOTAL = 2 * Math.max(estimateMemory(MAX_BODY_BYTES, JSON_BODY_LIMITS.values), 2.5 * 3 * BODY_BYTES);

let server: FastifyInstance;
let port: number;
/** Ends the handlers that wait. */
let finish: () => void;

beforeEach(async () => {
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const admission = new BodyAdmission({ MAX_BODY_BYTES, MAX_BODY_MEMORY_BYTES: TOTAL });
  const logger = { warning: () => undefined, failure: () => undefined } as unknown as Logger;
  const errors = new ErrorFilter(logger);
  server = fastify({ bodyLimit: MAX_BODY_BYTES });
  registerJsonParser(server, admission);
  server.setErrorHandler((error, request, reply) => {
    errors.sendError(error, request, reply);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const organisation = request.headers['x-organisation'];
    if (organisation) storeCaller(request, { organisationId: Number(organisation) } as Caller);
    done();
  });
  admission.register(server);
  server.post('/wait', async () => {
    await gate;
    return {};
  });
  server.post('/', async () => ({}));
  server.setNotFoundHandler(async (_request, reply) => reply.status(404).send({ code: 'not_found' }));
  await server.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = server.server.address() as { port: number });
});
afterEach(async () => {
  finish();
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

const post = async (organisation: number | undefined, body: string, path = '/') => {
  const { answer, socket } = send(head(path, organisation, body.length) + body);
  const answered = await answer;
  socket.destroy();
  return answered;
};

const ofLength = (length: number) => `{"text":"${'x'.repeat(length - 11)}"}`;

/** Waits until a large body of the organisation is accepted. */
async function untilAccepted(organisation: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await post(organisation, ofLength(BODY_BYTES))).status === 200) return;
    await sleep(20);
  }
  throw new Error('The memory was not released.');
}

describe('the memory of bodies', () => {
  it('is limited for each organisation by Content-Length, before a body is read: 429', async () => {
    const held = [1, 2].map(() => send(`${head('/', 1, BODY_BYTES)}{`));
    await sleep(100);
    const refused = await send(head('/', 1, BODY_BYTES)).answer;
    expect([refused.status, refused.code]).toEqual([429, 'throttled']);
    expect(refused.head).toMatch(/retry-after: \d+/i);
    expect((await post(1, '{}')).status).toBe(200);
    expect((await post(2, ofLength(BODY_BYTES))).status).toBe(200);
    for (const { socket } of held) socket.destroy();
    await untilAccepted(1);
  });

  it('is limited for the process: 503', async () => {
    for (const organisation of [1, 2, 3, 4]) send(`${head('/', organisation, BODY_BYTES)}{`);
    send(`${head('/', 5, BODY_BYTES)}{`);
    await sleep(100);
    const refused = await send(head('/', 6, BODY_BYTES)).answer;
    expect([refused.status, refused.code]).toEqual([503, 'unavailable']);
    expect(refused.head).toMatch(/retry-after: \d+/i);
  });

  it('is limited while a body without Content-Length arrives', async () => {
    for (const _ of [1, 2]) send(`${head('/', 1, BODY_BYTES)}{`);
    await sleep(100);
    const { answer, socket } = send(head('/', 1, 'chunked') + chunked('{"text":"'));
    for (let sent = 0; sent < 9 && socket.writable; sent += 1) {
      socket.write(chunked('x'.repeat(1_000_000)));
      await sleep(10);
    }
    expect(await answer).toMatchObject({ status: 429, code: 'throttled' });
  });

  it('is held until the handler ends, although its client has gone before', async () => {
    const held = [1, 2].map(() => send(head('/wait', 1, BODY_BYTES) + ofLength(BODY_BYTES)));
    await sleep(1_000);
    for (const { socket } of held) socket.destroy();
    await sleep(100);
    expect((await send(head('/', 1, BODY_BYTES)).answer).status).toBe(429);
    finish();
    await untilAccepted(1);
  }, 15_000);

  it('is estimated again before a body is parsed, by its values and keys', async () => {
    const body = `{"text":"${'x'.repeat(2_000_000)}","tiny":[${'[],'.repeat(200_000)}1]}`;
    const held = Array.from({ length: 2 }, () => send(head('/wait', 1, body.length) + body));
    await sleep(500);
    expect(await post(1, body, '/wait')).toMatchObject({ status: 429, code: 'throttled' });
    finish();
    for (const { answer } of held) expect((await answer).status).toBe(200);
    await untilAccepted(1);
  });

  it('is released by every end of a request', async () => {
    for (const body of ['{', '[]', '{}', `{"deep":${'['.repeat(100)}`, ofLength(BODY_BYTES)])
      await post(1, body);
    send(`${head('/', 1, BODY_BYTES)}{`).socket.destroy();
    await untilAccepted(1);
    await untilAccepted(1);
  });
});

describe('a body', () => {
  it('with more than 500,000 values and keys is refused before it has arrived', async () => {
    const tiny = `{"tiny":[${'{},'.repeat(300_000)}`;
    const answered = await send(head('/', 1, BODY_BYTES) + tiny).answer;
    expect(answered).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('with many values and keys, and not too many, is accepted', async () => {
    expect((await post(1, `{"tiny":[${'{},'.repeat(249_000)}1]}`)).status).toBe(200);
  });

  it.each(['['.repeat(100_000), '{"a":'.repeat(65)])('that is nested too deeply is refused', async (deep) => {
    const answered = await send(head('/', 1, BODY_BYTES) + `{"deep":${deep}`).answer;
    expect(answered).toMatchObject({ status: 400, code: 'parse_error' });
  });

  it('larger than the limit is refused, with and without Content-Length', async () => {
    const announced = await send(head('/', 1, MAX_BODY_BYTES + 1)).answer;
    expect(announced).toMatchObject({ status: 413, code: 'payload_too_large' });
    const { answer, socket } = send(head('/', 1, 'chunked') + chunked('{"text":"'));
    for (let sent = 0; sent < 13 && socket.writable; sent += 1) {
      socket.write(chunked('x'.repeat(1_000_000)));
      await sleep(10);
    }
    expect(await answer).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('that is divided inside of characters and escape sequences is read unchanged', async () => {
    const text = JSON.stringify({ text: 'é€😀 "quoted" \\' });
    const bytes = Buffer.from(text);
    const { answer, socket } = send(head('/', 1, bytes.length));
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await sleep(1);
    }
    expect((await answer).status).toBe(200);
  });

  it('of which a part is missing is refused', async () => {
    const { answer, socket } = send(`${head('/', 1, 100)}{}`);
    await sleep(50);
    socket.end();
    expect((await answer).status).toBe(400);
  });
});

describe('a stranger', () => {
  it('may send a small body', async () => {
    expect((await post(undefined, ofLength(16_000))).status).toBe(200);
    const announced = await send(head('/', undefined, 16_385)).answer;
    expect(announced).toMatchObject({ status: 413, code: 'payload_too_large' });
    const arriving = await send(head('/', undefined, 'chunked') + chunked(`{"text":"${'x'.repeat(20_000)}`))
      .answer;
    expect(arriving).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('sends no body to an address that does not exist', async () => {
    expect(await send(head('/nowhere', undefined, 16_000)).answer).toMatchObject({ status: 404 });
    expect(await send(head('/nowhere', 1, BODY_BYTES)).answer).toMatchObject({ status: 404 });
  });

  it('with many connections has a limit of memory, which is not that of suppliers', async () => {
    for (let count = 0; count < 60; count += 1) send(`${head('/', undefined, 16_000)}{`);
    await sleep(300);
    const refused = await send(head('/', undefined, 16_000)).answer;
    expect(refused).toMatchObject({ status: 429, code: 'throttled' });
    expect((await post(1, ofLength(BODY_BYTES))).status).toBe(200);
  });
});
