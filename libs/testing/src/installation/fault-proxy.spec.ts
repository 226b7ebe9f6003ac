import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenLocally, type LocalServer } from '../local-server';
import { FaultProxy } from './fault-proxy';
import { seededRandom } from './seeded-random';

let echo: LocalServer;
let proxy: FaultProxy;
let received = '';
const opened: Socket[] = [];

beforeEach(async () => {
  received = '';
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      socket.write(chunk);
    });
  });
  echo = await listenLocally(server);
  proxy = await FaultProxy.start(echo.url, seededRandom(1));
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await proxy.stop();
  await echo.stop();
});

/** Opens a connection and collects what it gets. */
async function open(): Promise<{ socket: Socket; text: () => string; ended: Promise<string> }> {
  const socket = connect(proxy.port, '127.0.0.1');
  opened.push(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  let error = 'closed';
  socket.on('error', ({ message }) => (error = message));
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => {
      resolve(error);
    });
  });
  await Promise.race([once(socket, 'connect').catch(() => undefined), ended]);
  return { socket, text: () => text, ended };
}

async function answered(connection: { text: () => string }, expected: string): Promise<void> {
  for (let attempt = 0; attempt < 100 && connection.text() !== expected; attempt += 1) await sleep(10);
  expect(connection.text()).toBe(expected);
}

describe('the proxy', () => {
  it('passes bytes on, and the end of a connection', async () => {
    const connection = await open();
    connection.socket.write('one');
    await answered(connection, 'one');
    connection.socket.end();
    expect(await connection.ended).toBe('closed');
  });

  it('resets connections, and refuses new ones until it is healed', async () => {
    const connection = await open();
    proxy.refuse();
    expect(await connection.ended).toContain('ECONNRESET');
    const refused = await open();
    expect(await refused.ended).toContain('ECONNRESET');
    proxy.heal();
    const later = await open();
    later.socket.write('again');
    await answered(later, 'again');
  });

  it('delays and dribbles without changing the order of bytes', async () => {
    proxy.delay(5);
    proxy.dribble(3);
    const connection = await open();
    connection.socket.write('0123456789');
    await sleep(5);
    proxy.heal();
    connection.socket.write('abc');
    await answered(connection, '0123456789abc');
  });

  it('swallows the answer to a commit, and then resets the connection', async () => {
    proxy.loseAnswers(1);
    const connection = await open();
    // The echo looks like the answer of PostgreSQL: it ends with ReadyForQuery.
    connection.socket.write(Buffer.concat([Buffer.from('COMMIT\0Z'), Buffer.from([0, 0, 0, 5, 0x49])]));
    expect(await connection.ended).toContain('ECONNRESET');
    expect(connection.text()).toBe('');
    expect(received).toContain('COMMIT');
    expect(proxy.lostAnswerCount).toBe(1);
  });
});

it('the seeded generator repeats its sequence for the same seed, and spreads over the range', () => {
  const first = Array.from({ length: 1_000 }, seededRandom(7));
  expect(Array.from({ length: 1_000 }, seededRandom(7))).toEqual(first);
  expect(Array.from({ length: 1_000 }, seededRandom(8))).not.toEqual(first);
  expect(Math.min(...first)).toBeLessThan(0.05);
  expect(Math.max(...first)).toBeGreaterThan(0.95);
  expect(first.reduce((sum, value) => sum + value) / 1_000).toBeCloseTo(0.5, 1);
});
