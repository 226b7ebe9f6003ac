import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type FaultContext, killWorkers } from './faults';
import type { UploadingClient } from './uploading-client';

/** Time after an injection within which the client has noticed that its upload was cut. */
const NOTICE_MS = 10_000;

/** The faults despite which each account of an upload must be imported exactly once, if the client sends the file again. */
export const UPLOAD_FAULTS: readonly Fault<UploadingClient>[] = [
  {
    key: 'upload-api-killed',
    title: 'the API is killed repeatedly in the middle of an upload',
    affected: 'uploads sent again',
    injections: { short: 0, full: 5 },
    inject: async (context) => countCut(context, async () => context.environment.killApi()),
  },
  {
    key: 'upload-worker-killed',
    title: 'the only worker is killed repeatedly during an upload',
    affected: 'active accounts',
    injections: { short: 0, full: 5 },
    inject: async (context) => {
      const active = await killWorkers(context, 1);
      await context.environment.restore(1);
      return active;
    },
  },
  {
    key: 'upload-postgres-restarted',
    title: 'PostgreSQL is shut down immediately and started again during an upload',
    affected: 'uploads sent again',
    injections: { short: 0, full: 3 },
    inject: async (context) => countCut(context, async () => context.environment.restartPostgres()),
  },
  {
    key: 'upload-redis-emptied',
    title: 'Redis is emptied (FLUSHALL) during an upload',
    affected: 'jobs lost',
    needsRedis: true,
    injections: { short: 0, full: 3 },
    inject: async ({ environment }) => environment.emptyRedis(),
  },
];

/** Counts the uploads that were sent again because of `inject`. */
async function countCut(
  { client }: FaultContext<UploadingClient>,
  inject: () => Promise<void>,
): Promise<number> {
  const before = client.cutUploads;
  await inject();
  const end = Date.now() + NOTICE_MS;
  while (client.cutUploads === before && Date.now() < end) await sleep(25);
  return client.cutUploads - before;
}
