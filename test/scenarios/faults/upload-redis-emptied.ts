import { strikeABook } from '../strike-a-book';
import { emptyRedis } from '../strikes';

export default strikeABook({
  title: 'Redis is emptied (FLUSHALL) during an upload',
  minutes: 2,
  by: 'upload',
  backends: ['redis'],
  times: 3,
  affected: 'jobs lost',
  strike: emptyRedis,
});
