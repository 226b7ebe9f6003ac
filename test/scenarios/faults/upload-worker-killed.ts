import { strikeABook } from '../strike-a-book';
import { killBusyWorkers } from '../strikes';

export default strikeABook({
  title: 'the only worker is killed repeatedly during an upload',
  minutes: 2,
  by: 'upload',
  times: 5,
  affected: 'active accounts',
  strike: async (struck) => {
    const active = await killBusyWorkers(struck, 1);
    await struck.installation.startWorker();
    return active;
  },
});
