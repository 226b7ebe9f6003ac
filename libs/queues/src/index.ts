export { maxTotalBackoffMs, RetryAfterError } from './backoff';
export { FIRST_DEFERRED_PRIORITY } from './fair-shares';
export {
  accountRequestJob,
  batchJobId,
  countAccounts,
  importAccountJob,
  importAccountsJob,
  inspectDocumentJob,
  isBulk,
  MAX_BATCH_ACCOUNTS,
  MAX_BATCH_REQUESTS,
  QUEUE_NAMES,
  transactionsBatchJob,
  welcomeEmailJob,
  type AccountRequestJobPayload,
  type BatchedAccountRequest,
  type BatchedProcess,
  type JobName,
  type JobPayload,
  type JobsOfQueue,
  type NewJob,
  type QueueName,
} from './job-contract';
export { JobProducer } from './job-producer';
export { JobSchedules } from './job-schedules';
export { migrateQueueSchema } from './migrate-queue-schema';
export { Queues } from './queues';
export { QueueDepth } from './queue-depth';
export { queueSettings, type QueueSettings } from './queue-settings';
export { QueuesModule } from './queues.module';
export { SCRAPE_TIMEOUT_MS, ScrapedRead } from './scraped-read';
export { withTimeout } from './with-timeout';
