import { QueueConnection } from '../../../libs/queues/src/queue-adapter';

/** Changes the options of queues and workers: completed jobs are removed at once, and BullMQ counts nothing by minute. */
const { queueOptions, workerOptions } = Object.getOwnPropertyDescriptors(QueueConnection.prototype);
const optionsOfQueue = queueOptions.value as QueueConnection['queueOptions'];
const optionsOfWorker = workerOptions.value as QueueConnection['workerOptions'];

QueueConnection.prototype.queueOptions = function (name) {
  const options = optionsOfQueue.call(this, name);
  return { ...options, defaultJobOptions: { ...options.defaultJobOptions, removeOnComplete: true } };
};

QueueConnection.prototype.workerOptions = function (name) {
  const { metrics: _metrics, ...options } = optionsOfWorker.call(this, name);
  return options;
};
