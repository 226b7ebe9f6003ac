import { setTimeout as sleep } from 'node:timers/promises';
import type { Servers } from '@portage/testing/installation';
import { countProcesses } from '@portage/testing/promises';
import { strikeABook } from '../strike-a-book';

type Redis = NonNullable<Servers['redis']>;

const outage = (
  title: string,
  begin: (redis: Redis) => Promise<unknown>,
  end: (redis: Redis) => Promise<void> | void,
) =>
  strikeABook({
    title,
    minutes: 1,
    backends: ['redis'],
    times: 1,
    affected: 'accounts accepted meanwhile',
    strike: async ({ installation, size, key }) => {
      const redis = installation.servers.redis!;
      await begin(redis);
      try {
        await sleep(size.outageMs);
        return await countProcesses(installation, key, 'PENDING');
      } finally {
        await end(redis);
      }
    },
  });

export default {
  'redis-frozen': outage(
    'Redis is suspended (SIGSTOP)',
    async (redis) => redis.suspendPrimary(),
    (redis) => {
      redis.resume();
    },
  ),
  'redis-stopped': outage(
    'Redis is killed and stays down',
    async (redis) => redis.killPrimary(),
    async (redis) => redis.restart(),
  ),
};
