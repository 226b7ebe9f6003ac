import { type TestPortage, until } from '@portage/testing';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';
import { PostingClient } from './posting-client';

/** Events that a killed dispatcher may deliver again: those that it had not stored. */
const MAX_REPEATED_BY_KILL = 100;
/** The time in which the receiver gets everything: leases of killed dispatchers have to end. */
const TIMEOUT_MS = 180_000;
/** How long the receiver takes for a request, so that a fault strikes while one is in flight. */
const ANSWER_MS = 5;

/** A supplier that posts a book and receives an event for each imported account. */
export class WebhookClient extends PostingClient {
  /** Workers that were killed while a request was in flight. */
  kills = 0;
  /** Requests that the receiver has not answered yet. */
  inFlight = 0;
  private receiver: WebhookReceiver | undefined;
  private endpointId = '';

  constructor(
    private readonly service: TestPortage,
    book: ReadonlyMap<string, string>,
    /** SQL pattern of the external account numbers of the book. */
    private readonly pattern: string,
  ) {
    super(service, book);
  }

  override async send(): Promise<void> {
    this.receiver = await WebhookReceiver.start((_request, response) => {
      this.inFlight += 1;
      response.once('close', () => (this.inFlight -= 1));
      setTimeout(() => response.writeHead(204).end(), ANSWER_MS);
    });
    const { status, body, text } = await this.service.post('/v2/data-import/webhook-endpoints/', {
      import_supplier: this.service.supplier,
      url: this.receiver.url,
      types: ['data_import.import_process.complete-v1'],
    });
    if (status !== 201) throw new Error(`${status} ${text}`);
    this.endpointId = body.id as string;
    await super.send();
  }

  /** Waits for all events, and compares what the receiver got with the order of the feed. */
  override async findDifferences(): Promise<string[]> {
    const first = () => [...new Set(this.receivedIds())];
    await until(
      () => first().length >= this.accepted.size,
      TIMEOUT_MS,
      () => `${first().length} of ${this.accepted.size} events were delivered`,
    );
    const feed = await this.service.sql<{ id: string }>(
      `SELECT 'evt_' || event.process_id || '_' || event.version || '_' || event.attempt || '_processed' AS id
       FROM import_process_event event JOIN import_process process ON process.id = event.process_id
       WHERE event.event = 'PROCESSED' AND process.external_account_number LIKE $1
       ORDER BY event.transaction_id, event.process_id, event.version, event.attempt`,
      [this.pattern],
    );
    const repeated = this.receivedIds().length - first().length;
    return [
      ...(JSON.stringify(first()) === JSON.stringify(feed.map(({ id }) => id))
        ? []
        : ['the first deliveries of the events are not in the order of the feed']),
      ...(repeated <= this.kills * MAX_REPEATED_BY_KILL
        ? []
        : [`${repeated} deliveries were repeated after ${this.kills} kills`]),
    ];
  }

  override stop(): void {
    super.stop();
    void this.receiver?.stop();
    void this.service
      .send('DELETE', `/v2/data-import/webhook-endpoints/${this.endpointId}/`)
      .catch(() => undefined);
  }

  private receivedIds(): string[] {
    return this.receiver?.requests.map(({ headers }) => headers['webhook-id'] as string) ?? [];
  }
}
