import { setTimeout as sleep } from 'node:timers/promises';
import { countProcesses } from '@portage/testing/promises';
import { strikeABook } from '../strike-a-book';

export default strikeABook({
  title: 'Redis is killed and stays down',
  minutes: 1,
  backends: ['redis'],
  times: 1,
  affected: 'accounts accepted meanwhile',
  strike: async ({ installation, size, key }) => {
    const { redis } = installation.servers;
    await redis!.killPrimary();
    try {
      await sleep(size.outageMs);
      return await countProcesses(installation, key, 'PENDING');
    } finally {
      await redis!.restart();
    }
  },
});
