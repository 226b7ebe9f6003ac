import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '@portage/testing/until';
import fastify from 'fastify';
import { httpTimeouts } from './http-timeouts';

const TIMEOUTS = { REQUEST_TIMEOUT_MS: 30_000, KEEP_ALIVE_TIMEOUT_MS: 72_000 };

it('closes the connection of a client that takes too long to send its headers', async () => {
  const server = fastify(httpTimeouts(TIMEOUTS, { headersTimeoutMs: 500 }));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as { port: number };
  const start = performance.now();
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'));
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  await once(socket, 'close');
  await server.close();
  expect(answer).toContain('408');
  expect(performance.now() - start).toBeGreaterThan(400);
  expect(performance.now() - start).toBeLessThan(15_000);
});

it('allows 10 s for the headers, and no longer than for the whole request', () => {
  expect(httpTimeouts(TIMEOUTS).http.headersTimeout).toBe(10_000);
  expect(httpTimeouts({ ...TIMEOUTS, REQUEST_TIMEOUT_MS: 2_000 }).http.headersTimeout).toBe(2_000);
});

describe('a client that does not read its answer', () => {
  const STALLED_MS = 500;

  /** Serves an endless answer. `ended` resolves when the server stops to produce it. */
  async function serveEndlessly() {
    const server = fastify(httpTimeouts(TIMEOUTS, { stalledTimeoutMs: STALLED_MS }));
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    async function* chunks(): AsyncGenerator<string> {
      try {
        for (;;) {
          await turn();
          yield 'x'.repeat(100_000);
        }
      } finally {
        end();
      }
    }
    server.get('/', async (_request, reply) => reply.send(Readable.from(chunks(), { objectMode: false })));
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket.on('error', () => undefined);
    return { server, socket, ended };
  }

  it('loses its connection, and the list that is streamed to it ends', async () => {
    const { server, socket, ended } = await serveEndlessly();
    const start = performance.now();
    socket.pause();
    await ended;
    expect(performance.now() - start).toBeGreaterThan(STALLED_MS * 0.9);
    socket.destroy();
    await server.close();
  });

  it('keeps its connection while it reads, slowly as well', async () => {
    const { server, socket } = await serveEndlessly();
    socket.pause();
    const end = performance.now() + 3 * STALLED_MS;
    // Reads what one turn brings, and then nothing until the next poll.
    await until(
      () => {
        const chunk = socket.read() as Buffer | null;
        return chunk !== null && performance.now() > end;
      },
      'Nothing arrives.',
      20 * STALLED_MS,
    );
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    await server.close();
  });

  it('has a minute, and more than a slow body may take', () => {
    expect(httpTimeouts(TIMEOUTS).connectionTimeout).toBe(60_000);
    expect(httpTimeouts({ ...TIMEOUTS, REQUEST_TIMEOUT_MS: 100_000 }).connectionTimeout).toBe(130_000);
  });
});
