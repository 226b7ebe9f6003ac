import { strikeABook } from '../strike-a-book';
import { countPostedAgain, killApi } from '../strikes';

export default strikeABook({
  title: 'the API is killed repeatedly',
  minutes: 1,
  times: 5,
  affected: 'accounts sent again',
  strike: async (struck) => countPostedAgain(struck, async () => killApi(struck)),
});
