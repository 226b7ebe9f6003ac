import { until } from '../until';
import { WebhookReceiver } from '../webhook-receiver';
import type { Installation } from './installation';

const ENDPOINTS = '/v2/data-import/webhook-endpoints/';
/** Events that a killed dispatcher may deliver again: those that it had not stored. */
const MAX_REPEATED_BY_KILL = 100;
/** The time in which the receiver gets everything: leases of killed dispatchers have to end. */
const TIMEOUT_MS = 180_000;
/** How long the receiver takes for a request, so that a fault strikes while one is in flight. */
const ANSWER_MS = 5;

/** A supplier's endpoint that gets an event for each imported account. */
export class WebhookSubscription {
  /** Requests that the receiver has not answered yet. */
  inFlight = 0;
  private receiver: WebhookReceiver | undefined;

  private constructor(private readonly installation: Installation) {}

  static async open(installation: Installation): Promise<WebhookSubscription> {
    const subscription = new WebhookSubscription(installation);
    const receiver = await WebhookReceiver.start((_request, response) => {
      subscription.inFlight += 1;
      response.once('close', () => (subscription.inFlight -= 1));
      setTimeout(() => response.writeHead(204).end(), ANSWER_MS);
    });
    subscription.receiver = receiver;
    const created = await installation.post(ENDPOINTS, {
      import_supplier: installation.supplier,
      url: receiver.url,
      types: ['data_import.import_process.complete-v1'],
    });
    if (created.status === 201 && (await subscription.verify(created.body.id as string))) return subscription;
    await receiver.stop();
    throw new Error(`${created.status} ${created.text}`);
  }

  /** True once the endpoint gets events. A release before the first verification has no such request. */
  private async verify(id: string): Promise<boolean> {
    const { status, body } = await this.installation.post(`${ENDPOINTS}${id}/verify/`, {});
    return status === 404 || body.verified === true;
  }

  /**
   * Waits for the events of all accounts whose numbers begin with `key`, and compares them with the order of the feed.
   *
   * @param kills workers that were killed while a request was in flight
   */
  async findDifferences(key: string, count: number, kills: number): Promise<string[]> {
    const received = () => this.receiver!.requests.map(({ headers }) => headers['webhook-id'] as string);
    const first = () => [...new Set(received())];
    await until(
      () => first().length >= count,
      () => `${first().length} of ${count} events were delivered`,
      TIMEOUT_MS,
    );
    const feed = await this.installation.sql<{ id: string }>(
      `SELECT 'evt_' || event.process_id || '_' || event.version || '_' || event.attempt || '_processed' AS id
       FROM import_process_event event JOIN import_process process ON process.id = event.process_id
       WHERE event.event = 'PROCESSED' AND process.external_account_number LIKE $1
       ORDER BY event.transaction_id, event.process_id, event.version, event.attempt`,
      [`${key}-%`],
    );
    const repeated = received().length - first().length;
    return [
      ...(JSON.stringify(first()) === JSON.stringify(feed.map(({ id }) => id))
        ? []
        : ['the first deliveries of the events are not in the order of the feed']),
      ...(repeated <= kills * MAX_REPEATED_BY_KILL
        ? []
        : [`${repeated} deliveries were repeated after ${kills} kills`]),
    ];
  }

  async stop(): Promise<void> {
    await this.receiver?.stop();
  }
}
