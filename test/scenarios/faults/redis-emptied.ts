import { strikeABook } from '../strike-a-book';
import { emptyRedis } from '../strikes';

export default strikeABook({
  title: 'Redis is emptied (FLUSHALL)',
  minutes: 2,
  backends: ['redis'],
  times: 3,
  affected: 'jobs lost',
  strike: emptyRedis,
});
