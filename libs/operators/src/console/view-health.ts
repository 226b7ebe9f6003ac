import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  CLOCK,
  Database,
  DOCUMENT_STORE,
  documentKey,
  type DocumentStore,
  Queues,
  withTimeout,
} from '@portage/platform';
import { ViewWorkers } from './view-workers';
import type { ComponentView, HealthView } from './overview.dto';

/** How long a component may take to answer. */
const TIMEOUT_MS = 1_000;

/** How long the state of the document store is reused: a look at it is a request to another service. */
const STORE_MAX_AGE_MS = 10_000;

/** Workers that are shown. */
const MAX_SEEN = 50;

/** The health of the installation, for the pages of operators. */
@Injectable()
export class ViewHealth {
  private store: { at: number; state: Promise<ComponentView> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly workers: ViewWorkers,
    @Inject(DOCUMENT_STORE) private readonly documents: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Never fails: what cannot be reached is down. */
  async read(): Promise<HealthView> {
    const [isDatabaseUp, areQueuesUp, store] = await Promise.all([
      withTimeout(TIMEOUT_MS, this.database.isReachable()).catch(() => false),
      this.queues.isReachable(),
      this.readStore(),
    ]);
    const [workers, vendors] = isDatabaseUp
      ? await Promise.all([this.workers.workers(), this.workers.vendors()]).catch(() => [[], []] as const)
      : ([[], []] as const);
    return {
      database: this.component(isDatabaseUp ? null : 'The database does not answer.'),
      queues: this.component(
        areQueuesUp ? null : 'The queue does not answer. Accounts are accepted and enqueued later.',
      ),
      document_store: store,
      vendors: vendors.map(({ name, breaker, since }) => ({ name, breaker, since })),
      workers: {
        alive: workers.filter((worker) => worker.is_alive).length,
        seen: workers.slice(0, MAX_SEEN).map(({ id, last_seen_at }) => ({ id, last_seen_at })),
      },
    };
  }

  /** @param detail why it is down; null if it is not */
  private component(detail: string | null): ComponentView {
    const status = detail === null ? 'ok' : 'down';
    return { status, detail, checked_at: this.clock.now().toISOString() };
  }

  private async readStore(): Promise<ComponentView> {
    const now = performance.now();
    if (!this.store || now - this.store.at > STORE_MAX_AGE_MS)
      this.store = { at: now, state: this.probeStore() };
    return this.store.state;
  }

  /** A document that does not exist: the store is up if it says so. */
  private async probeStore(): Promise<ComponentView> {
    try {
      const probe = documentKey('portage', 'health-check');
      if (probe.outcome === 'resolved') await withTimeout(TIMEOUT_MS, this.documents.head(probe.key));
      return this.component(null);
    } catch {
      return this.component('The document store does not answer. Imports that verify documents wait.');
    }
  }
}
