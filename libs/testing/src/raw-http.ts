import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The answers on a connection until the server closed it. */
interface RawAnswer {
  text: string;
  /** The status of each answer in order. */
  statuses: number[];
  milliseconds: number;
}

/** How the parts of a request are written. */
export interface RawOptions {
  /** Milliseconds between one part and the next, for a slow client. */
  paceMs?: number;
  /** The server must close the connection within this time. */
  timeoutMs?: number;
}

/** Sends unmodified bytes, and waits until the server closes the connection. */
export async function sendRaw(
  baseUrl: string,
  parts: readonly (string | Buffer)[],
  { paceMs = 0, timeoutMs = 60_000 }: RawOptions = {},
): Promise<RawAnswer> {
  const start = performance.now();
  const socket = await connected(baseUrl);
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`The server did not close the connection; it sent ${Buffer.concat(chunks).toString()}`),
      );
    }, timeoutMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses a request before its end resets the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
  const writing = (async () => {
    for (const part of parts) {
      if (socket.destroyed || socket.writableEnded) return;
      socket.write(part);
      if (paceMs > 0) await sleep(paceMs);
    }
  })();
  await closed;
  await writing;
  const text = Buffer.concat(chunks).toString();
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  return { text, statuses, milliseconds: performance.now() - start };
}

async function connected(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
