import { strikeABook } from '../strike-a-book';
import { countUploadedAgain, restartPostgres } from '../strikes';

export default strikeABook({
  title: 'PostgreSQL is shut down immediately and started again during an upload',
  minutes: 1,
  by: 'upload',
  times: 3,
  affected: 'uploads sent again',
  strike: async (struck) => countUploadedAgain(struck, async () => restartPostgres(struck)),
});
