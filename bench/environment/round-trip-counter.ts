import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The type of the message that PostgreSQL sends after it has processed a query and waits for the next one. */
const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const HEADER_BYTES = 5;

/** A proxy between a program and PostgreSQL that counts round trips. */
export class RoundTripCounter {
  /** Number of round trips since the start. */
  count = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The URL of the database through the proxy. */
    readonly databaseUrl: string,
  ) {}

  static async start(databaseUrl: string): Promise<RoundTripCounter> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    const { hostname, port } = url;
    url.port = String((server.address() as AddressInfo).port);
    const counter = new RoundTripCounter(server, url.href);
    server.on('connection', (client) => {
      counter.forward(client, connect({ host: hostname, port: Number(port), noDelay: true }));
    });
    return counter;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket, postgres: Socket): void {
    for (const [from, to] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
    const countRoundTrips = parseMessageTypes((type) => {
      if (type === READY_FOR_QUERY) this.count += 1;
    });
    postgres.on('data', countRoundTrips);
  }
}

/** Parses a stream of messages: one byte of type, a length that includes itself, and the content. */
function parseMessageTypes(report: (type: number) => void): (chunk: Buffer) => void {
  let incomplete: Buffer = Buffer.alloc(0);
  let bytesToSkip = 0;
  return (chunk) => {
    let rest = chunk;
    if (incomplete.length > 0) rest = Buffer.concat([incomplete, chunk]);
    let at = Math.min(bytesToSkip, rest.length);
    bytesToSkip -= at;
    while (bytesToSkip === 0 && rest.length - at >= HEADER_BYTES) {
      report(rest.readUInt8(at));
      const end = at + 1 + rest.readUInt32BE(at + 1);
      bytesToSkip = Math.max(0, end - rest.length);
      at = Math.min(end, rest.length);
    }
    incomplete = rest.subarray(at);
  };
}
