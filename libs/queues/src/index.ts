export { longestPauses, TryAgainAfter } from './back-off';
export {
  accountRequestJob,
  addTransactionsJob,
  importAccountJob,
  inspectDocumentJob,
  QUEUE_NAMES,
  welcomeEmailJob,
  type AccountRequestJobPayload,
  type JobContract,
  type JobName,
  type JobPayload,
  type NewJob,
  type QueueName,
} from './job-contract';
export { JobProducer } from './job-producer';
export { JobSchedules } from './job-schedules';
export { migrateQueueSchema } from './migrate-queue-schema';
export { QueueBackend, withTimeout, type BackendKind } from './queue-backend';
export { QueueDepth } from './queue-depth';
export { queueSettings, type QueueSettings } from './queue-settings';
export { QueuesModule } from './queues.module';
