import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What PostgreSQL says whenever it has answered all that a client asked and waits for more. */
const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const HEADER = 5;

/** Stands between a program and PostgreSQL and counts how often one waits for the other. */
export class RoundTripCounter {
  /** Since it was started. */
  count = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The same database, through the counter. */
    readonly databaseUrl: string,
  ) {}

  static async before(databaseUrl: string): Promise<RoundTripCounter> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    const { hostname, port } = url;
    url.port = String((server.address() as AddressInfo).port);
    const counter = new RoundTripCounter(server, url.href);
    server.on('connection', (client) => {
      counter.join(client, connect({ host: hostname, port: Number(port), noDelay: true }));
    });
    return counter;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket, postgres: Socket): void {
    for (const [from, to] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
    const see = messageTypes((type) => {
      if (type === READY_FOR_QUERY) this.count += 1;
    });
    postgres.on('data', see);
  }
}

/** Reads a stream of messages, each a type of one byte, a length that includes itself, and so much more. */
function messageTypes(report: (type: number) => void): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0);
  let skip = 0;
  return (chunk) => {
    let rest = chunk;
    if (left.length > 0) rest = Buffer.concat([left, chunk]);
    let at = Math.min(skip, rest.length);
    skip -= at;
    while (skip === 0 && rest.length - at >= HEADER) {
      report(rest.readUInt8(at));
      const end = at + 1 + rest.readUInt32BE(at + 1);
      skip = Math.max(0, end - rest.length);
      at = Math.min(end, rest.length);
    }
    left = rest.subarray(at);
  };
}
