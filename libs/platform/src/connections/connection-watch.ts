import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Client, ClientConfig } from 'pg';
import { ConnectionCheck, type Session, type SessionReport } from './connection-check';
import { ServerClient } from './server-client';
import { type ServerList, Servers } from './servers';

/** Limits of a {@link ConnectionWatch}. */
export const CONNECTION_WATCH = {
  /** Interval in which connections are looked at. */
  intervalMs: 500,
  /** Time without an answer to a statement after which the server is asked about its session. */
  checkAfterMs: 2_000,
  /** Time without an answer after which a connection is closed if the server knows no such session. */
  closeUnknownAfterMs: 4_000,
  /** The same if the server cannot be reached. It may only be busy, so this takes longer. */
  closeUnreachableAfterMs: 8_000,
  /** A connection that was unused for this long is asked whether it still answers. */
  pingAfterMs: 3_000,
  /** Time that a connection may take to close. */
  endMs: 1_000,
} as const;

export interface WatchLimits {
  /** Time without an answer after which a connection is closed in any case; undefined for no limit. */
  maxSilenceMs: number | undefined;
}

/** What the watch reads of a client and does to it. */
interface Watched {
  client: Client;
  name: string;
  /** Bytes that the connection has carried in both directions at the last look. */
  bytes: number;
  /** The time of the first look at which no further bytes had been carried. */
  unchangedSince: number;
}

/** The part of a client of `pg` that its types leave out. */
interface ClientState {
  readyForQuery: boolean;
}

/**
 * Closes the connections of one process that have fallen silent: their server, or the network to it, is gone without a
 * word, and only new connections work. Without the watch a statement waits for its answer until TCP gives up, which
 * takes a quarter of an hour.
 *
 * A statement may take long. So the watch asks the server, over a new connection, whether it still runs the statement.
 * A connection is silent if the server waits for the client while the client waits for the server; or if, some seconds
 * later, the server does not know the session or cannot be reached ({@link CONNECTION_WATCH}). Its statement then fails with a connection error, its session is ended, and unused connections are closed too. Connections that are not
 * used, such as those that LISTEN, are asked with an empty statement now and then.
 *
 * It looks at counters of the sockets, so that statements cost nothing more.
 */
export class ConnectionWatch {
  private readonly watched = new Set<Watched>();
  private readonly servers: Servers;
  private readonly check: ConnectionCheck;
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;
  private isStopped = false;

  /**
   * @param report is called with the error of each connection that is closed because its statement got no answer
   */
  constructor(
    list: ServerList,
    private readonly limits: WatchLimits,
    private readonly report: (error: Error) => void = () => undefined,
  ) {
    this.servers = new Servers(list);
    this.check = new ConnectionCheck(this.servers);
  }

  /**
   * The class of clients that this watch looks after, for `new Pool({ Client })`. They connect to the server that
   * {@link Servers} finds, whatever their options name. Each has a name of its own: the `application_name` of its
   * options, and a number.
   */
  get Client(): new (config?: ClientConfig) => Client {
    const add = (client: Client, name: string) => {
      this.add(client, name);
    };
    const { servers } = this;
    return class WatchedClient extends ServerClient {
      constructor(config: ClientConfig = {}) {
        const name = `${config.application_name ?? 'portage'} ${randomBytes(4).toString('hex')}`;
        super(servers, { ...config, application_name: name });
        this.once('connect', () => {
          add(this, name);
        });
      }

      /** A silent server does not confirm the end. */
      override async end(...[done]: [((error: Error) => void)?]): Promise<void> {
        const { stream } = this.connection;
        const timer = setTimeout(() => stream.destroy(), CONNECTION_WATCH.endMs).unref();
        stream.once('close', () => {
          clearTimeout(timer);
        });
        await super.end(...(done ? [done] : []));
      }
    };
  }

  /** Looks no more. For the end of a process, whose last connections close with it. */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  private add(client: Client, name: string): void {
    if (this.isStopped) return;
    const watched: Watched = { client, name, bytes: bytesOf(client), unchangedSince: performance.now() };
    this.watched.add(watched);
    client.once('end', () => {
      this.watched.delete(watched);
      if (this.watched.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
    this.timer ??= setInterval(() => {
      this.look();
    }, CONNECTION_WATCH.intervalMs).unref();
  }

  private look(): void {
    const now = performance.now();
    for (const watched of this.watched) {
      const bytes = bytesOf(watched.client);
      if (bytes !== watched.bytes) Object.assign(watched, { bytes, unchangedSince: now });
      else if (!isBusy(watched) && isUnused(watched) && silenceOf(watched) >= CONNECTION_WATCH.pingAfterMs) {
        ping(watched);
        // The time without an answer to the ping begins now.
        Object.assign(watched, { bytes: bytesOf(watched.client), unchangedSince: now });
      }
    }
    const suspects = [...this.watched].filter(
      (watched) => isBusy(watched) && silenceOf(watched) >= CONNECTION_WATCH.checkAfterMs,
    );
    if (suspects.length > 0 && !this.isChecking) void this.ask(suspects);
  }

  private async ask(suspects: readonly Watched[]): Promise<void> {
    this.isChecking = true;
    const names = suspects.map(({ name }) => name);
    await this.check.run(names, (report) => this.closeSilent(suspects, report));
    this.isChecking = false;
  }

  /** @returns the names of the connections that were closed */
  private closeSilent(suspects: readonly Watched[], report: SessionReport): string[] {
    const silent = suspects.filter(
      // Its answer may have arrived during the check.
      (watched) =>
        bytesOf(watched.client) === watched.bytes && isBusy(watched) && this.isSilent(watched, report),
    );
    for (const watched of silent) this.close(watched);
    if (silent.length > 0) this.closeUnused();
    return silent.map(({ name }) => name);
  }

  private isSilent(watched: Watched, report: SessionReport): boolean {
    const silenceMs = silenceOf(watched);
    if (this.limits.maxSilenceMs !== undefined && silenceMs >= this.limits.maxSilenceMs) return true;
    if (report === 'unknown') return false;
    if (report === 'unreachable') return silenceMs >= CONNECTION_WATCH.closeUnreachableAfterMs;
    const session = report.find(({ name }) => name === watched.name);
    return session ? waitsInVain(session) : silenceMs >= CONNECTION_WATCH.closeUnknownAfterMs;
  }

  private close({ client }: Watched): void {
    const error = new Error('PostgreSQL has not answered on this connection, so it was closed.');
    this.report(error);
    client.connection.stream.destroy(error);
  }

  /** Unused connections are probably silent too, and a request would have to find out. */
  private closeUnused(): void {
    for (const watched of this.watched)
      if (!isBusy(watched) && isUnused(watched) && silenceOf(watched) >= CONNECTION_WATCH.intervalMs)
        watched.client.connection.stream.destroy(
          new Error('An unused connection to PostgreSQL was closed, because another one has fallen silent.'),
        );
  }
}

/** The state of a session changes a moment before its answer arrives. */
const SETTLED_MS = 1_000;

/** True if the server has answered, or has not got the statement. */
function waitsInVain({ isActive, waitsForClient, unchangedMs }: Session): boolean {
  return unchangedMs >= SETTLED_MS && (!isActive || waitsForClient);
}

function bytesOf(client: Client): number {
  const { bytesRead, bytesWritten } = client.connection.stream as Socket;
  return bytesRead + bytesWritten;
}

function silenceOf({ unchangedSince }: Watched): number {
  return performance.now() - unchangedSince;
}

/** True while a statement waits for its answer. */
function isBusy({ client }: Watched): boolean {
  return !(client as unknown as ClientState).readyForQuery;
}

/** True between transactions. */
function isUnused({ client }: Watched): boolean {
  return client.getTransactionStatus() === 'I';
}

function ping({ client }: Watched): void {
  // Its failure is that of the connection, which reports it.
  client.query('SELECT').catch(() => undefined);
}
