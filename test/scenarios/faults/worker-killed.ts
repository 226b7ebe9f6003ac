import { strikeABook } from '../strike-a-book';
import { killBusyWorkers } from '../strikes';
import { findDamages } from './damages';

export default strikeABook({
  title: 'the only worker is killed repeatedly',
  minutes: 2,
  isShort: true,
  times: 5,
  affected: 'active jobs',
  strike: async (struck) => {
    const active = await killBusyWorkers(struck, 1);
    await struck.installation.startWorker();
    return active;
  },
  afterwards: findDamages,
});
