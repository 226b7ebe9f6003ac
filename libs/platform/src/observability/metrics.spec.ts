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
      const longest = async () =>
        Number(/portage_event_loop_delay_seconds\{quantile="1"\} (\S+)/.exec(await registry.metrics())?.[1]);
      await until(
        async () => {
          const isMeasured = (await longest()) > 0.25;
          // The delay is measured when the timer of the next poll runs.
          if (!isMeasured) block(300);
          return isMeasured;
        },
        4_000,
        () => 'No delay was measured.',
      );
    },
  );
});
