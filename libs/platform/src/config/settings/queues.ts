import { redisUrl } from '../redis-url';
import { integer, optional } from '../validators';

export const queueSettings = {
  REDIS_URL: redisUrl({
    ...optional,
    desc: 'URL of the Redis or Valkey that stores the queues: redis://user:password@host:6379/0; redis+sentinel://host:26379,host:26379/primary-name/0 for a primary that Sentinels watch, with sentinel_username and sentinel_password as parameters if they require a login; redis+cluster://host:6379,host:6379 for a cluster. rediss instead of redis is TLS, with the parameters sslrootcert, sslcert and sslkey for files in PEM format. Redis needs maxmemory-policy noeviction. Default: the queues are stored in PostgreSQL.',
  }),
  WORKER_CONCURRENCY: integer({
    min: 1,
    max: 500,
    default: 16,
    desc: 'Maximum number of concurrent jobs of one worker in each queue other than account imports.',
  }),
  JOB_LOCK_MS: integer({
    min: 1_000,
    max: 600_000,
    default: 10_000,
    desc: 'Lease of a job in milliseconds. A job whose worker has not renewed the lease in this time is given to another worker.',
  }),
  WORKER_STUCK_MS: integer({
    min: 100,
    max: 86_400_000,
    default: 300_000,
    desc: 'Time in milliseconds without progress in a queue (no job finished, or jobs waiting and none taken) after which /health/live of the worker fails.',
  }),
  SWEEP_INTERVAL_MS: integer({
    min: 100,
    max: 3_600_000,
    default: 10_000,
    desc: 'Interval in milliseconds between two sweeps. A sweep enqueues import processes whose job was lost or whose schedule window has opened.',
  }),
  SWEEP_AFTER_MS: integer({
    min: 100,
    max: 3_600_000,
    default: 30_000,
    desc: 'Age in milliseconds from which the sweeper treats the missing job of an import process as lost.',
  }),
  SHUTDOWN_GRACE_MS: integer({
    min: 0,
    max: 60_000,
    default: 1_000,
    desc: 'Time in milliseconds after SIGTERM in which the API reports that it is not ready and still accepts requests.',
  }),
  DRAIN_TIMEOUT_MS: integer({
    min: 100,
    max: 600_000,
    default: 25_000,
    desc: 'Maximum wait in milliseconds after SIGTERM for active requests and jobs to finish.',
  }),
};
