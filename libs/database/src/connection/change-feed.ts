import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';
import { Client } from 'pg';
import { DATABASE_CONNECT_TIMEOUT_MS } from './data-source';

/** Tables whose changes are announced by a trigger. */
export type AnnouncedTable = 'import_supplier' | 'api_key' | 'installation' | 'reference_data';

type Listener = () => void;
type OutcomeListener = (requestId: string, outcome: string | undefined) => void;

const CHANGES = 'portage_changes';
/** Requests that a worker has done: their id, and after a space their outcome unless it is too long. */
const OUTCOMES = 'portage_outcomes';
const RECONNECT_MS = 1_000;

/**
 * Hears at once, over one connection that listens, when another process changes a supplier, a key or what the
 * operator has set up, and when a worker has done a request. What is remembered of those tables may be used only
 * while `isListening`: without the connection nobody would say that it is out of date.
 */
@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listeners = new Map<AnnouncedTable, Listener[]>();
  private readonly outcomeListeners: OutcomeListener[] = [];
  private client: Client | undefined;
  private closed = false;
  private reconnect: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  get isListening(): boolean {
    return this.client !== undefined;
  }

  /** Calls `listener` after each change of `table`, and whenever changes may have been missed. */
  onChange(table: AnnouncedTable, listener: Listener): void {
    this.listeners.set(table, [...(this.listeners.get(table) ?? []), listener]);
  }

  /**
   * Calls `listener` when a request is done, with its outcome as JSON text, or undefined where that is too long to be
   * announced. Announcements may be missed: ask for the outcome too, now and then.
   */
  onOutcome(listener: OutcomeListener): void {
    this.outcomeListeners.push(listener);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnect);
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.config.DATABASE_URL,
      application_name: 'portage change feed',
      connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === OUTCOMES) this.announce(payload);
      else for (const listener of this.listeners.get(payload as AnnouncedTable) ?? []) listener();
    });
    const lost = (error: unknown) => {
      if (this.client === client) this.client = undefined;
      this.retryAfter(error);
    };
    client.on('error', lost);
    client.on('end', () => {
      if (this.client === client) lost(new Error('The connection that listens for changes has ended.'));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANGES}; LISTEN ${OUTCOMES}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      lost(error);
      return;
    }
    if (this.closed) {
      await client.end().catch(() => undefined);
      return;
    }
    this.client = client;
    for (const listener of [...this.listeners.values()].flat()) listener();
  }

  private announce(payload: string): void {
    const end = payload.indexOf(' ');
    const [id, outcome] = end < 0 ? [payload] : [payload.slice(0, end), payload.slice(end + 1)];
    for (const listener of this.outcomeListeners) listener(id, outcome);
  }

  private retryAfter(error: unknown): void {
    if (this.closed || this.reconnect) return;
    this.logger.warning('Not listening for changes of suppliers and keys; asking the database each time.', {
      error,
    });
    this.reconnect = setTimeout(() => {
      this.reconnect = undefined;
      void this.connect();
    }, RECONNECT_MS);
  }
}
