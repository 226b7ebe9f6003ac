import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { storeCaller } from '../caller';
import { OrganisationAdmission } from './organisation-admission';

/** With four connections, an organisation may post two requests for notes at once. */
const CONFIG = { DATABASE_POOL: 4, WORKER_CONCURRENCY: 16 };
const PATH = '/v1/data-import/notes/create';

let fastify: FastifyInstance;
/** The handlers that run. Each ends when it is called. */
let running: (() => void)[];
/** Requests whose body was read. */
let parsed: number;

beforeEach(async () => {
  running = [];
  parsed = 0;
  fastify = Fastify();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    parsed += 1;
    done(null, body);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    storeCaller(request, { organisationId: 1, apiKeyId: 1, actor: 'api-key:test' });
    done();
  });
  new OrganisationAdmission(CONFIG).register(fastify);
  fastify.post(PATH, { config: { requestKind: 'notes-and-statements' } }, async () => {
    await new Promise<void>((resolve) => running.push(resolve));
    return {};
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const end of running) end();
  fastify.server.closeAllConnections();
  await fastify.close();
});

/** Starts a request. It is complete only after `end`. */
function start(): ClientRequest {
  const { port } = fastify.server.address() as AddressInfo;
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: PATH,
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': 2 },
  });
  request.on('error', () => undefined);
  request.flushHeaders();
  return request;
}

const post = (): ClientRequest => start().end('{}');

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`${running.length} run, ${parsed} were read`);
    await sleep(5);
  }
}

describe('the admission of requests', () => {
  it('does not read the body of a request above the limit before another request is answered', async () => {
    post();
    post();
    await until(() => running.length === 2);
    const third = post();
    await sleep(100);
    expect([running.length, parsed]).toEqual([2, 2]);
    const answered = once(third, 'response');
    running[0]?.();
    await until(() => running.length === 3);
    running[2]?.();
    await answered;
  });

  it('keeps the place of a request that is being processed although its client has gone', async () => {
    const gone = post();
    post();
    await until(() => running.length === 2);
    gone.destroy();
    post();
    await sleep(100);
    expect(running).toHaveLength(2);
    running[0]?.();
    await until(() => running.length === 3);
  });

  it('frees the place of a client that disconnects before its body has arrived', async () => {
    const incomplete = [start(), start()];
    await sleep(100);
    post();
    await sleep(100);
    expect(running).toHaveLength(0);
    incomplete[0]?.destroy();
    await until(() => running.length === 1);
  });

  it('frees the place of a request that is refused before its handler runs', async () => {
    for (let count = 0; count < 3; count += 1) {
      const request = httpRequest({
        host: '127.0.0.1',
        port: (fastify.server.address() as AddressInfo).port,
        path: PATH,
        method: 'POST',
        headers: { 'content-type': 'text/plain', 'content-length': 2 },
      });
      request.end('{}');
      await once(request, 'response');
    }
    post();
    await until(() => running.length === 1);
  });
});
