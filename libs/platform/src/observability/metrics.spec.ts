import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@portage/testing/until';
import { Metrics } from './metrics';

/** Occupies the event loop. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('the delay of the event loop', () => {
  it.each([10, 100])(
    'is in the metrics without the interval of %i ms at which it is measured',
    async (ms) => {
      const { registry } = new Metrics(ms);
      let longest = 0;
      // Node measures from its first wake-up on, which a busy machine delays.
      await until(
        async () => {
          await sleep(3 * ms);
          block(400);
          await sleep(3 * ms);
          longest = Number(
            /portage_event_loop_delay_seconds\{quantile="1"\} (\S+)/.exec(await registry.metrics())?.[1],
          );
          return longest > 0.25;
        },
        () => `the longest delay is ${longest} s`,
      );
    },
  );
});
