import { setTimeout as sleep } from 'node:timers/promises';
import { countProcesses } from '@portage/testing/promises';
import { strikeABook } from '../strike-a-book';

export default strikeABook({
  title: 'Redis is suspended (SIGSTOP)',
  minutes: 1,
  backends: ['redis'],
  times: 1,
  affected: 'accounts accepted meanwhile',
  strike: async ({ installation, size, key }) => {
    const { redis } = installation.servers;
    await redis!.suspendPrimary();
    try {
      await sleep(size.outageMs);
      return await countProcesses(installation, key, 'PENDING');
    } finally {
      redis!.resume();
    }
  },
});
