import { strikeABook } from '../strike-a-book';
import { countUploadedAgain, killApi } from '../strikes';

export default strikeABook({
  title: 'the API is killed repeatedly in the middle of an upload',
  minutes: 1,
  by: 'upload',
  times: 5,
  affected: 'uploads sent again',
  strike: async (struck) => countUploadedAgain(struck, async () => killApi(struck)),
});
