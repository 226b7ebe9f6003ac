import { until } from '@portage/testing';
import type { Fault } from './faults';
import type { WebhookClient } from './webhook-client';

const INJECTION_TIMEOUT_MS = 60_000;

/** The faults despite which the receiver of a supplier must get every event, in the order of the feed. */
export const WEBHOOK_FAULTS: readonly Fault<WebhookClient>[] = [
  {
    key: 'webhook-worker-killed',
    title: 'the only worker is killed repeatedly with webhooks in flight',
    affected: 'requests in flight',
    // A killed dispatcher holds its lease for 30 seconds.
    injections: { short: 0, full: 5 },
    inject: async ({ environment, client }) => {
      let affected = 0;
      await until(
        async () =>
          environment.withSuspended(environment.workers, async () => {
            affected = client.inFlight;
            if (affected > 0) await environment.kill(...environment.workers);
            return affected > 0;
          }),
        INJECTION_TIMEOUT_MS,
        () => 'no request was in flight',
      );
      client.kills += 1;
      await environment.restore(1);
      return affected;
    },
  },
];
