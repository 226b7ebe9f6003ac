import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';
import { Client } from 'pg';

/** Tables whose changes are announced by a trigger. */
export type AnnouncedTable = 'import_supplier' | 'api_key' | 'installation' | 'reference_data';

type Listener = () => void;

const CHANNEL = 'portage_changes';
const RECONNECT_MS = 1_000;

/**
 * Hears at once when another process changes a supplier, a key or what the operator has set up, over one connection that listens. What is
 * remembered of those tables may be used only while `isListening`: without the connection nobody would say that it
 * is out of date.
 */
@Injectable()
export class ChangeFeed implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listeners = new Map<AnnouncedTable, Listener[]>();
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
      connectionTimeoutMillis: this.config.DATABASE_CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload }) => {
      for (const listener of this.listeners.get(payload as AnnouncedTable) ?? []) listener();
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
      await client.query(`LISTEN ${CHANNEL}`);
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
