import { Client, type ClientConfig } from 'pg';
import { NoSuitableServer, type Servers } from './servers';

const READ_ONLY_TRANSACTION = '25006';

/** The values that PostgreSQL 14 and later report by themselves, at the start of a session and when they change. */
type ReportedValue = 'in_hot_standby' | 'default_transaction_read_only';

/** The events of a connection of `pg` that its types leave out. */
interface ProtocolEvents {
  on(
    event: 'parameterStatus',
    listener: (message: { parameterName: string; parameterValue: string }) => void,
  ): void;
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void;
}

/**
 * A client that connects to the server that {@link Servers} has found, and that closes its connection when the server
 * has become read-only. The statement that finds out fails, and the pool opens the next connection elsewhere.
 */
export class ServerClient extends Client {
  private readonly reported = new Map<string, string>();
  private url: string;
  private isUsable = false;
  private hasEnded = false;

  constructor(
    private readonly servers: Servers,
    config: ClientConfig = {},
  ) {
    super({ ...config, connectionString: servers.commonUrl });
    this.url = servers.commonUrl;
    // The next connection looks for the server anew, so that it does not fail at the one that is lost.
    this.once('end', () => {
      if (this.isUsable && !this.hasEnded) servers.forget(this.url);
    });
    const events = this.connection as unknown as ProtocolEvents;
    events.on('parameterStatus', ({ parameterName, parameterValue }) => {
      this.reported.set(parameterName, parameterValue);
      if (this.isUsable && this.isRefused()) this.closeReadOnly();
    });
    events.on('errorMessage', ({ code }) => {
      // After the statement has got its error.
      if (code === READ_ONLY_TRANSACTION && this.isUsable)
        setImmediate(() => {
          this.closeReadOnly();
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
    try {
      await super.connect();
      if (servers.isChoice) await this.requireSuitableServer();
    } catch (error) {
      servers.forget(this.url);
      // An end that is intended is not reported as an error.
      void super.end().catch(() => undefined);
      this.connection.stream.destroy();
      throw error;
    }
    this.isUsable = true;
    return this;
  }

  /** A server that was found earlier may have become a standby. */
  private async requireSuitableServer(): Promise<void> {
    const ignore = () => undefined;
    this.on('error', ignore);
    try {
      // PostgreSQL 13 and earlier, and poolers, do not report it.
      if (!this.reported.has('in_hot_standby')) await this.readValues();
      if (this.isRefused())
        throw new NoSuitableServer(`The server ${new URL(this.url).host} accepts no writes any more.`);
    } finally {
      this.off('error', ignore);
    }
  }

  private async readValues(): Promise<void> {
    const { rows } = await this.query<Record<ReportedValue, string>>(
      `SELECT CASE WHEN pg_is_in_recovery() THEN 'on' ELSE 'off' END AS in_hot_standby,
         current_setting('default_transaction_read_only') AS default_transaction_read_only`,
    );
    for (const [name, value] of Object.entries(rows[0] ?? {})) this.reported.set(name, value);
  }

  private isRefused(): boolean {
    const isOn = (name: ReportedValue) => this.reported.get(name) === 'on';
    return this.servers.refuses({
      isStandby: isOn('in_hot_standby'),
      isReadOnly: isOn('default_transaction_read_only'),
    });
  }

  private closeReadOnly(): void {
    this.servers.forget(this.url);
    this.connection.stream.destroy(
      new Error('The server has become read-only, so its connection was closed.'),
    );
  }
}
