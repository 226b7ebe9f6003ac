import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What came back on a connection until the server closed it. */
export interface RawAnswer {
  text: string;
  /** Status of each answer, in their order. */
  statuses: number[];
  milliseconds: number;
}

/** One part is written after another, as `pace` milliseconds apart as a slow client sends them. */
export interface RawOptions {
  pace?: number;
  /** The server has to hang up within so long. */
  patience?: number;
}

/** Sends bytes as they are, and waits until the server hangs up. */
export async function sendRaw(
  baseUrl: string,
  parts: readonly (string | Buffer)[],
  { pace = 0, patience = 20_000 }: RawOptions = {},
): Promise<RawAnswer> {
  const start = performance.now();
  const socket = await connected(baseUrl);
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The server did not hang up; it said ${Buffer.concat(chunks).toString()}`));
    }, patience);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses while it is still being written to resets the connection.
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
      if (pace > 0) await sleep(pace);
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
