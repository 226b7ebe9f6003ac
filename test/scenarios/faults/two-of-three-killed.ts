import { strikeABook } from '../strike-a-book';
import { killBusyWorkers } from '../strikes';

export default strikeABook({
  title: 'two of three workers are killed at once',
  minutes: 1,
  needs: { workers: 3 },
  times: 1,
  affected: 'active jobs',
  strike: async (struck) => killBusyWorkers(struck, 2),
});
