import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { Servers } from './servers';
import { CONNECT_TIMEOUT_MS } from './session-limits';

/** How often an unused connection is asked whether it still answers. */
export const HEARTBEAT_MS = 2_000;

/** Time that the refusal of a statement that took too long may take to arrive. */
const STATEMENT_GRACE_MS = 3_000;

/** Time that a connection may take to close. A silent server does not confirm the end. */
const END_MS = 1_000;

const READ_ONLY_TRANSACTION = '25006';

/** What the types of `pg` leave out. */
interface ClientState {
  readyForQuery: boolean;
}
interface ProtocolEvents {
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void;
}

/**
 * A client that connects to the server that {@link Servers} has found, and closes its connection
 *
 * - when the server has become read-only: the statement that finds out fails, and the pool opens the next connection
 *   elsewhere,
 * - when the server has not answered for the time that a statement may take, because it or the network to it is gone
 *   without a word. `pg`'s own `query_timeout` leaves such a connection in its pool. Unused connections, such as those
 *   that LISTEN, are asked with an empty statement every {@link HEARTBEAT_MS}.
 */
export class ServerClient extends Client {
  private url: string;
  private isUsable = false;
  private hasEnded = false;

  /** @param statementTimeoutMs undefined for a connection whose statements have no limit of time */
  constructor(
    private readonly servers: Servers,
    config: ClientConfig = {},
    private readonly statementTimeoutMs?: number,
  ) {
    super({ ...config, connectionString: servers.commonUrl });
    this.url = servers.commonUrl;
    // The next connection looks for the server anew, so that it does not fail at the one that is lost.
    this.once('end', () => {
      if (this.isUsable && !this.hasEnded) servers.forget(this.url);
    });
    (this.connection as unknown as ProtocolEvents).on('errorMessage', ({ code }) => {
      // After the statement has got its error.
      if (code === READ_ONLY_TRANSACTION && this.isUsable)
        setImmediate(() => {
          this.closeWith('The server has become read-only, so its connection was closed.');
        });
    });
  }

  // The overloads of `pg` promise a client, or call back with one.
  // oxlint-disable-next-line typescript/no-explicit-any
  override connect(callback?: (error: any, client?: any) => void): any {
    const connected = this.connectToServer();
    if (!callback) return connected;
    connected.then(
      () => {
        callback(null, this);
      },
      (error: unknown) => {
        callback(error);
      },
    );
  }

  override async end(...[done]: [((error: Error) => void)?]): Promise<void> {
    this.hasEnded = true;
    const { stream } = this.connection;
    const timer = setTimeout(() => stream.destroy(), END_MS).unref();
    stream.once('close', () => {
      clearTimeout(timer);
    });
    if (done) super.end(done);
    else await super.end();
  }

  private async connectToServer(): Promise<this> {
    const { servers } = this;
    if (servers.isChoice) {
      this.url = await servers.find();
      // The pool destroys the connection of a client that takes too long.
      if (this.hasEnded || this.connection.stream.destroyed)
        throw new Error('The connection was given up before its server was found.');
      const { hostname, port } = new URL(this.url);
      this.host = decodeURIComponent(hostname.replaceAll(/^\[|\]$/g, ''));
      this.port = Number(port || '5432');
    }
    const ignore = () => undefined;
    try {
      await super.connect();
      this.on('error', ignore);
      // A server that was found earlier may have become a standby.
      await servers.requireSuitable(this);
    } catch (error) {
      servers.forget(this.url);
      // An end that is intended is not reported as an error.
      void super.end().catch(ignore);
      this.connection.stream.destroy();
      throw error;
    } finally {
      this.off('error', ignore);
    }
    this.isUsable = true;
    if (this.statementTimeoutMs !== undefined) this.limitSilence(this.statementTimeoutMs);
    return this;
  }

  private limitSilence(statementTimeoutMs: number): void {
    (this.connection.stream as Socket).setTimeout(statementTimeoutMs + STATEMENT_GRACE_MS, () => {
      this.closeWith('PostgreSQL has not answered on this connection, so it was closed.');
    });
    const heartbeat = setInterval(() => {
      const isUnused = (this as unknown as ClientState).readyForQuery && this.getTransactionStatus() === 'I';
      // Its failure is that of the connection, which reports it.
      if (isUnused) this.query('SELECT').catch(() => undefined);
    }, HEARTBEAT_MS).unref();
    this.once('end', () => {
      clearInterval(heartbeat);
    });
  }

  private closeWith(reason: string): void {
    this.servers.forget(this.url);
    this.connection.stream.destroy(new Error(reason));
  }
}

/** Opens a connection of its own, whose statements have no limit of time, to the server that a URL leads to. */
export async function openClient(url: string, applicationName: string): Promise<Client> {
  const client = new ServerClient(new Servers(url), {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: applicationName,
  });
  await client.connect();
  return client;
}

/**
 * The class of clients for `new Pool({ Client })`, which share what they know of the servers of a URL.
 *
 * @param statementTimeoutMs undefined for connections whose statements have no limit of time
 */
export function clientClass(
  url: string,
  statementTimeoutMs: number | undefined,
): new (config?: ClientConfig) => Client {
  const servers = new Servers(url);
  return class extends ServerClient {
    constructor(config?: ClientConfig) {
      super(servers, config, statementTimeoutMs);
    }
  };
}
