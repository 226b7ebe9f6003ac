export { longestPauses, TryAgainAfter } from './back-off';
export {
  accountRequestJob,
  addTransactionsJob,
  importAccountJob,
  inspectDocumentJob,
  QUEUE_NAMES,
  welcomeEmailJob,
  type AboutRequest,
  type JobContract,
  type JobName,
  type JobPayload,
  type NewJob,
  type QueueName,
} from './job-contract';
export { JobProducer } from './job-producer';
export { JobSchedules } from './job-schedules';
export { migrateQueueSchema } from './migrate-queue-schema';
export { QueueBackend, within, type BackendKind } from './queue-backend';
export { QueueDepth } from './queue-depth';
export { queueSettings, type QueueSettings } from './queue-settings';
export { QueuesModule } from './queues.module';
