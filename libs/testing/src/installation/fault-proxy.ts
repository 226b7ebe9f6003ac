import { connect, createServer, type Socket } from 'node:net';
import { listenLocally, type LocalServer } from '../local-server';

/** The direction in which a half-open connection carries nothing. */
type Direction = 'to-server' | 'to-client' | 'both';

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
  isHeld: boolean;
}

/** A connection through the proxy. */
interface ProxiedConnection {
  /** Passes nothing on any more and reads nothing more of the client, while the connection stays open. */
  hold(): void;
  cut(): void;
}

/** Looks at what the client of one connection sends, before it is passed on. */
export type Watcher = (chunk: Buffer, connection: ProxiedConnection) => void;

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

  /** Watches each new connection. */
  watch: (() => Watcher) | undefined;
  private local: LocalServer;

  private constructor(
    private readonly target: { host: string; port: number },
    private readonly random: () => number,
  ) {}

  /** @param url the server behind the proxy */
  static async start(url: string, random: () => number = Math.random): Promise<FaultProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new FaultProxy({ host: hostname, port: Number(port) }, random);
    const server = createServer({ noDelay: true }, (client) => {
      proxy.accept(client);
    });
    proxy.local = await listenLocally(server);
    return proxy;
  }

  get port(): number {
    return this.local.port;
  }

  /** The address of the server through the proxy. */
  through(url: string): string {
    return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(this.port) }).href;
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
    await this.local.stop();
  }

  private accept(client: Socket): void {
    if (this.isRefusing) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...this.target, noDelay: true });
    server.on('error', () => undefined);
    const link: Link = { client, server, silent: this.swallowed, isLosingAnswer: false, isHeld: false };
    this.links.add(link);
    const watcher = this.watch?.();
    if (watcher) {
      const connection: ProxiedConnection = {
        hold: () => {
          link.isHeld = true;
          client.pause();
        },
        cut: () => {
          this.cut(link);
        },
      };
      client.on('data', (chunk) => {
        watcher(chunk, connection);
      });
    }
    this.carry(link, client, server, 'to-server');
    this.carry(link, server, client, 'to-client');
  }

  private carry(link: Link, from: Socket, to: Socket, direction: 'to-server' | 'to-client'): void {
    let last = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      if (link.isHeld || this.swallows(link, direction, chunk)) return;
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
