import { Client, DatabaseError } from 'pg';
import { queryRows } from './row-objects';
import type { Servers } from './servers';

/** A session as the server sees it. */
export interface Session {
  /** The name of its connection (`application_name`). */
  name: string;
  /** True if the server runs a statement of it. */
  isActive: boolean;
  /** True if the server waits to send to the client, or for the rest of its message. */
  waitsForClient: boolean;
  unchangedMs: number;
}

/** The answer of the server about sessions; `unreachable` if it does not answer, `unknown` if it refuses to. */
export type SessionReport = readonly Session[] | 'unreachable' | 'unknown';

/** Maximum time for the connection of a check, and for each of its statements. */
const CHECK_TIMEOUT_MS = 5_000;
/** The same for the connection where another server may have taken over. */
const CHOICE_TIMEOUT_MS = 2_000;

const SESSIONS = `
  SELECT application_name AS name, state IN ('active', 'fastpath function call') AS is_active,
    coalesce(wait_event_type = 'Client', false) AS waits_for_client,
    coalesce(extract(epoch FROM clock_timestamp() - state_change) * 1000, 0)::float8 AS unchanged_ms
  FROM pg_stat_activity
  WHERE application_name = ANY($1) AND pid <> pg_backend_pid() AND state IS NOT NULL AND state <> 'disabled'`;

const TERMINATE = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = ANY($1) AND pid <> pg_backend_pid() AND usename = current_user`;

/** Asks PostgreSQL about sessions, over a connection of its own that was opened for the question. */
export class ConnectionCheck {
  constructor(private readonly servers: Servers) {}

  /**
   * @param names the names of connections
   * @param judge is called with the answer, and returns the names of the connections whose sessions are to be ended, so
   *   that they hold no locks
   */
  async run(names: readonly string[], judge: (report: SessionReport) => readonly string[]): Promise<void> {
    let { client, report } = await this.ask(async () => this.servers.find(), names);
    if (report === 'unreachable' && this.servers.isChoice) {
      close(client);
      ({ client, report } = await this.ask(async () => this.servers.findAgain(), names));
    }
    try {
      const ended = judge(report);
      if (ended.length > 0 && Array.isArray(report)) await client?.query(TERMINATE, [ended]);
    } catch {
      // A session that was not ended ends by itself: see SESSION_LIMITS.
    } finally {
      close(client);
    }
  }

  private async ask(
    find: () => Promise<string>,
    names: readonly string[],
  ): Promise<{ client?: Client; report: SessionReport }> {
    try {
      const connectionString = await find();
      const client = new Client({
        connectionString,
        connectionTimeoutMillis: this.servers.isChoice ? CHOICE_TIMEOUT_MS : CHECK_TIMEOUT_MS,
        query_timeout: CHECK_TIMEOUT_MS,
        application_name: 'portage connection check',
      });
      client.on('error', () => undefined);
      return { client, report: await read(client, names) };
    } catch {
      return { report: 'unreachable' };
    }
  }
}

function close(client: Client | undefined): void {
  client?.connection.stream.destroy();
}

async function read(client: Client, names: readonly string[]): Promise<SessionReport> {
  try {
    await client.connect();
  } catch (error) {
    // Such as a server with too many connections.
    return error instanceof DatabaseError ? 'unknown' : 'unreachable';
  }
  try {
    return await queryRows<Session>(client, SESSIONS, [names]);
  } catch {
    // Such as a pooler whose sessions are all in use. It serves clients in turn: had it answered, the statement that
    // waits since earlier would have had its session.
    return 'unknown';
  }
}
