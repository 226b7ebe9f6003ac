import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { httpTimeouts } from './http-timeouts';

const TIMEOUTS = { REQUEST_TIMEOUT_MS: 30_000, KEEP_ALIVE_TIMEOUT_MS: 72_000 };

it('closes the connection of a client that takes too long to send its headers', async () => {
  const server = fastify(httpTimeouts(TIMEOUTS, 500));
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
  expect(performance.now() - start).toBeLessThan(5_000);
});

it('allows 10 s for the headers, and no longer than for the whole request', () => {
  expect(httpTimeouts(TIMEOUTS).http.headersTimeout).toBe(10_000);
  expect(httpTimeouts({ ...TIMEOUTS, REQUEST_TIMEOUT_MS: 2_000 }).http.headersTimeout).toBe(2_000);
});
