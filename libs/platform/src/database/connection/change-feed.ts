import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Client } from 'pg';
import { CONFIG } from '../../config/config.module';
import type { Config } from '../../config/config';
import { clientClass } from '../../connections/server-client';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE, sessionOptions } from '../../connections/session-limits';
import { Logger } from '../../observability/logger';

/** Tables whose changes are announced by a trigger. */
export type AnnouncedTable =
  | 'import_supplier'
  | 'api_key'
  | 'revoked_token_family'
  | 'installation'
  | 'reference_data';

type Listener = () => void;
type OutcomeListener = (requestId: string, outcome: unknown) => void;

const CHANGES = 'portage_changes';
/**
 * Channel of finished account requests. The payload is JSON: an object of outcomes by the id of the request, or an array
 * of ids if the outcomes are too long.
 */
const OUTCOMES = 'portage_outcomes';
const RECONNECT_MS = 1_000;

/**
 * Listens on one connection (LISTEN/NOTIFY) for changes of suppliers, API keys, revoked tokens, rule settings and reference
 * data by other processes, and for finished account requests. A cache of those tables is valid only while `isListening`:
 * without the connection it would not be invalidated.
 */
@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listeners = new Map<AnnouncedTable, Listener[]>();
  private readonly outcomeListeners: OutcomeListener[] = [];
  private client: Client | undefined;
  private isClosed = false;
  private reconnectTimer: NodeJS.Timeout | undefined;
  /** Its clients ask every few seconds whether the connection still answers. */
  private readonly Client: ReturnType<typeof clientClass>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly logger: Logger,
  ) {
    // A pooler in transaction mode loses notifications.
    const { DIRECT_DATABASE_URL = config.DATABASE_URL } = config;
    this.Client = clientClass(DIRECT_DATABASE_URL, config.DATABASE_STATEMENT_TIMEOUT_MS);
  }

  /** True while notifications arrive. */
  get isListening(): boolean {
    return this.client !== undefined;
  }

  /** Calls `listener` after each change of `table`, and after each time in which changes may have been missed. */
  onChange(table: AnnouncedTable, listener: Listener): void {
    this.listeners.set(table, [...(this.listeners.get(table) ?? []), listener]);
  }

  /**
   * Calls `listener` when a request is finished, with its outcome, or undefined where that is too long for a
   * notification. Notifications may be missed: poll for the outcome too.
   */
  onOutcome(listener: OutcomeListener): void {
    this.outcomeListeners.push(listener);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.reconnectTimer);
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new this.Client({
      ...KEEP_ALIVE,
      application_name: 'portage change feed',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: sessionOptions(),
    });
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === OUTCOMES) this.announceOutcomes(payload);
      else for (const listener of this.listeners.get(payload as AnnouncedTable) ?? []) listener();
    });
    const reconnect = (error: unknown) => {
      if (this.client === client) this.client = undefined;
      this.retryAfter(error);
    };
    client.on('error', reconnect);
    client.on('end', () => {
      if (this.client === client) reconnect(new Error('The connection of the change feed has ended.'));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANGES}; LISTEN ${OUTCOMES}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      reconnect(error);
      return;
    }
    if (this.isClosed) {
      await client.end().catch(() => undefined);
      return;
    }
    this.client = client;
    for (const listener of [...this.listeners.values()].flat()) listener();
  }

  private announceOutcomes(payload: string): void {
    for (const [id, outcome] of readOutcomes(payload))
      for (const listener of this.outcomeListeners) listener(id, outcome);
  }

  private retryAfter(error: unknown): void {
    if (this.isClosed || this.reconnectTimer) return;
    this.logger.warn('Not listening for changes of suppliers and keys; caches are bypassed.', {
      error,
    });
    this.reconnectTimer = setTimeout(() => {
      this.reconnectTimer = undefined;
      void this.connect();
    }, RECONNECT_MS);
  }
}

/** Ignores a payload of another release: its outcomes are found by polling. */
function readOutcomes(payload: string): [id: string, outcome?: unknown][] {
  try {
    const finished = JSON.parse(payload) as string[] | Record<string, unknown>;
    return Array.isArray(finished) ? finished.map((id) => [id]) : Object.entries(finished);
  } catch {
    return [];
  }
}
