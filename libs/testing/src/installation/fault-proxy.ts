import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The direction in which a half-open connection carries nothing. */
export type Direction = 'to-server' | 'to-client' | 'both';

/** The end of each answer of PostgreSQL: ReadyForQuery. */
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);
/** The end of a statement with parameters: Sync. */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const COMMIT = Buffer.from('COMMIT\0');

interface Link {
  client: Socket;
  server: Socket;
  silent: Direction | undefined;
  /** True while the answer to a commit is swallowed. */
  isLosingAnswer: boolean;
}

/**
 * A TCP proxy between one process and one server, with the faults of a network. All random choices come from `random`,
 * so that a run can be repeated.
 *
 * Faults hold until {@link heal}. Silence affects the connections that are open at that moment; later ones work.
 */
export class FaultProxy {
  private readonly links = new Set<Link>();
  /** Chunks of a connection that are delayed. */
  private readonly pending = new WeakMap<Socket, number>();
  private isRefusing = false;
  private delayMs = 0;
  private dribbleBytes = 0;
  private lostAnswerShare = 0;
  private swallowed: Direction | undefined;
  /** Answers that were swallowed since the start. */
  lostAnswerCount = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
    private readonly random: () => number,
  ) {
    server.on('connection', (client) => {
      this.accept(client);
    });
  }

  /** @param url the server behind the proxy */
  static async start(url: string, random: () => number): Promise<FaultProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, { host: hostname, port: Number(port) }, random);
  }

  /** The address of the server through the proxy. */
  through(url: string): string {
    return Object.assign(new URL(url), {
      hostname: '127.0.0.1',
      port: String((this.server.address() as AddressInfo).port),
    }).href;
  }

  get connectionCount(): number {
    return this.links.size;
  }

  /** Open connections carry nothing in the direction any more, and neither side learns of it. */
  silence(direction: Direction): number {
    for (const link of this.links) link.silent = direction;
    return this.links.size;
  }

  /** Open and new connections carry nothing in the direction any more. */
  swallow(direction: Direction): void {
    this.swallowed = direction;
    this.silence(direction);
  }

  /** Resets all connections, or a share of them. */
  reset(share = 1): number {
    const chosen = [...this.links].filter(() => this.random() < share);
    for (const link of chosen) this.cut(link);
    return chosen.length;
  }

  /** Resets open and new connections. */
  refuse(): void {
    this.isRefusing = true;
    this.reset();
  }

  /** Delays every chunk by up to `milliseconds`. */
  delay(milliseconds: number): void {
    this.delayMs = milliseconds;
  }

  /** Passes on a few bytes at a time. */
  dribble(bytes: number): void {
    this.dribbleBytes = bytes;
  }

  /**
   * PostgreSQL: performs a share of the statements and commits, swallows their answers and then resets the
   * connections.
   */
  loseAnswers(share: number): void {
    this.lostAnswerShare = share;
  }

  /** Ends all faults. Connections that were silent are reset, as by a host that does not know them. */
  heal(): void {
    this.isRefusing = false;
    this.delayMs = 0;
    this.dribbleBytes = 0;
    this.lostAnswerShare = 0;
    this.swallowed = undefined;
    for (const link of this.links) if (link.silent) this.cut(link);
  }

  async stop(): Promise<void> {
    for (const link of this.links) this.cut(link);
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    client.on('error', () => undefined);
    if (this.isRefusing) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...this.target, noDelay: true });
    server.on('error', () => undefined);
    const link: Link = { client, server, silent: this.swallowed, isLosingAnswer: false };
    this.links.add(link);
    this.carry(link, client, server, 'to-server');
    this.carry(link, server, client, 'to-client');
  }

  private carry(link: Link, from: Socket, to: Socket, direction: 'to-server' | 'to-client'): void {
    let last = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      if (this.swallows(link, direction, chunk)) return;
      const { delayMs, dribbleBytes } = this;
      if (delayMs === 0 && dribbleBytes === 0) {
        // Behind chunks that were delayed.
        if (this.isIdle(from)) to.write(chunk);
        else last = last.then(() => void to.write(chunk));
        return;
      }
      this.pending.set(from, (this.pending.get(from) ?? 0) + 1);
      last = last
        .then(async () => this.passSlowly(to, chunk, delayMs, dribbleBytes))
        .finally(() => this.pending.set(from, this.pending.get(from)! - 1));
    });
    from.on('close', () => {
      // The other side of a silent connection learns nothing.
      if (link.silent) return;
      void last.then(() => {
        to.destroy();
        this.links.delete(link);
      });
    });
  }

  private isIdle(from: Socket): boolean {
    return (this.pending.get(from) ?? 0) === 0;
  }

  private async passSlowly(to: Socket, chunk: Buffer, delayMs: number, bytes: number): Promise<void> {
    const step = bytes === 0 ? chunk.length : bytes;
    for (let offset = 0; offset < chunk.length && !to.destroyed; offset += step) {
      const pauseMs = delayMs > 0 ? delayMs * this.random() : 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      to.write(chunk.subarray(offset, offset + step));
    }
  }

  private swallows(link: Link, direction: 'to-server' | 'to-client', chunk: Buffer): boolean {
    if (link.silent === direction || link.silent === 'both') return true;
    if (direction === 'to-server') {
      const endsStatement = chunk.includes(COMMIT) || chunk.subarray(-SYNC.length).equals(SYNC);
      if (this.lostAnswerShare > 0 && endsStatement && this.random() < this.lostAnswerShare)
        link.isLosingAnswer = true;
      return false;
    }
    if (!link.isLosingAnswer) return false;
    if (chunk.subarray(-READY_FOR_QUERY.length - 1, -1).equals(READY_FOR_QUERY)) {
      this.lostAnswerCount += 1;
      this.cut(link);
    }
    return true;
  }

  private cut(link: Link): void {
    this.links.delete(link);
    link.silent = undefined;
    // A socket that ends cannot be reset any more. Node would never close it, and wait for it at the end of the process.
    for (const socket of [link.client, link.server])
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
  }
}
