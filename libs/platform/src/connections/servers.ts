import { Client } from 'pg';
import { type DatabaseServers, parseDatabaseUrl } from '../config/database-url';
import { SingleFlight } from '../values/single-flight';

/** Maximum time for the answer of a server about itself. */
const PROBE_TIMEOUT_MS = 2_500;

/** No server of the list can be used at the moment. */
export class NoSuitableServer extends Error {
  override readonly name = 'NoSuitableServer';
}

/**
 * Finds the server of a list that connections go to: as libpq does, the first one that answers and that the
 * `target_session_attrs` of the URL allow. It asks the servers the first time, and again when the server it knows has
 * failed. With one host that may be any server it asks nothing.
 */
export class Servers {
  private known: string | undefined;
  private readonly search = new SingleFlight<string>();
  private readonly list: DatabaseServers;

  /** @param url with one or more hosts */
  constructor(url: string) {
    this.list = parseDatabaseUrl(url);
  }

  /** The URL of the first server, for what all servers have in common: user, database and options. */
  get commonUrl(): string {
    return this.list.urls[0];
  }

  /** False if there is only one server, and no condition. */
  get isChoice(): boolean {
    return this.list.urls.length > 1 || this.list.targetSession !== 'any';
  }

  /**
   * @returns the URL of the server to connect to
   * @throws NoSuitableServer
   */
  async find(): Promise<string> {
    if (!this.isChoice) return this.commonUrl;
    if (this.known !== undefined) return this.known;
    return this.search.join(async () => this.ask());
  }

  /** The server has failed or become read-only: the next connection looks for another. */
  forget(url: string): void {
    if (this.known === url) this.known = undefined;
  }

  /** @throws NoSuitableServer if a connected server is not to be used */
  async requireSuitable(client: Client): Promise<void> {
    const { targetSession } = this.list;
    if (targetSession === 'any') return;
    // `transaction_read_only` is on in a standby too.
    const condition =
      targetSession === 'primary'
        ? 'pg_is_in_recovery()'
        : `current_setting('transaction_read_only')::boolean`;
    const { rows } = await client.query<{ refused: boolean }>(`SELECT ${condition} AS refused`);
    if (rows[0]?.refused !== false) throw new NoSuitableServer('it accepts no writes');
  }

  private async ask(): Promise<string> {
    const reasons: string[] = [];
    for (const url of this.list.urls)
      try {
        await this.probe(url);
        this.known = url;
        return url;
      } catch (error) {
        reasons.push(`${new URL(url).host}: ${error instanceof Error ? error.message : String(error)}`);
      }
    throw new NoSuitableServer(`No server of the database can be used: ${reasons.join('; ')}.`);
  }

  private async probe(url: string): Promise<void> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      application_name: 'portage server check',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await this.requireSuitable(client);
    } finally {
      client.connection.stream.destroy();
    }
  }
}
