import { until } from '@portage/testing';
import { strikeABook } from '../strike-a-book';
import { runningWorkers, whileSuspended } from '../strikes';

const TIMEOUT_MS = 60_000;

export default strikeABook({
  title: 'the only worker is killed repeatedly with webhooks in flight',
  // A killed dispatcher holds its lease for 30 seconds.
  minutes: 4,
  webhooks: true,
  times: 5,
  affected: 'requests in flight',
  strike: async ({ installation, webhooks }) => {
    let affected = 0;
    await until(
      async () => {
        const workers = runningWorkers(installation);
        return whileSuspended(workers, async () => {
          affected = webhooks!.inFlight;
          if (affected > 0) await installation.kill(...workers);
          return affected > 0;
        });
      },
      'no request was in flight',
      TIMEOUT_MS,
    );
    await installation.startWorker();
    return affected;
  },
});
