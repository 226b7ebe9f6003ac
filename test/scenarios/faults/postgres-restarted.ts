import { strikeABook } from '../strike-a-book';
import { countPostedAgain, restartPostgres } from '../strikes';

export default strikeABook({
  title: 'PostgreSQL is shut down immediately and started again',
  minutes: 1,
  times: 3,
  affected: 'accounts sent again',
  strike: async (struck) => countPostedAgain(struck, async () => restartPostgres(struck)),
});
