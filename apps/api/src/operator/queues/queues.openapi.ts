import { OperatorOperation } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

export const queueSchemas: Readonly<Record<string, form.Schema>> = {
  Queue: form.objectOf({
    name: form.text,
    backend: form.oneOf(['redis', 'postgres']),
    waiting: form.integer,
    active: form.integer,
    delayed: form.integer,
    prioritized: form.integer,
    failed: form.integer,
    completed: form.described(form.integer, 'Finished jobs that are still kept.'),
    paused: form.flag,
    oldest_waiting_at: form.described(
      form.nullable(form.moment),
      'When the job became due that waits longest among the next ones.',
    ),
    rate_per_second: form.described(
      form.nullable(form.number),
      'Jobs that were completed in a second, over the last full minutes. Null while there are none, and with the queue on PostgreSQL, which keeps none.',
    ),
    retries: form.described(
      form.integer,
      'Retries within the last hour, as the workers that are alive report them.',
    ),
    board_url: form.described(form.text, 'The queue in Bull Board, on this host.'),
  }),
  QueueList: form.objectOf({ items: form.listOf(form.ref('Queue')) }),
  WorkerConsumption: form.objectOf({
    queue: form.text,
    active: form.integer,
    is_consuming: form.flag,
    retries: form.described(form.integer, 'Within the last hour.'),
  }),
  Worker: form.objectOf({
    id: form.text,
    host: form.text,
    release: form.text,
    started_at: form.moment,
    last_seen_at: form.moment,
    is_alive: form.described(form.flag, 'True if it has reported within the last 45 seconds.'),
    queues: form.listOf(form.ref('WorkerConsumption')),
  }),
  WorkerList: form.objectOf({ items: form.listOf(form.ref('Worker')) }),
};

const queueExample = {
  ...{
    name: 'account-imports',
    backend: 'postgres',
    waiting: 142,
    active: 4,
    delayed: 0,
    prioritized: 0,
    failed: 0,
  },
  ...{ completed: 1000, paused: false, oldest_waiting_at: '2026-11-21T09:30:00.123Z', rate_per_second: 2.9 },
  ...{ retries: 0, board_url: '/queues/queue/account-imports' },
};

const queue = {
  tag: 'Queues and workers',
  params: { name: { description: 'The name of the queue', example: 'account-imports' } },
} as const;

/** Describes the queues. */
export const DescribeQueues = () =>
  OperatorOperation({
    ...{ tag: 'Queues and workers', operationId: 'listQueues', summary: 'List the queues', role: 'viewer' },
    ...{ answer: 'QueueList', answerDescription: 'All queues.', example: { items: [queueExample] } },
  });

/** Describes the workers. */
export const DescribeWorkers = () =>
  OperatorOperation({
    ...{ tag: 'Queues and workers', operationId: 'listWorkers', summary: 'List the workers', role: 'viewer' },
    description:
      'Each worker reports every 15 seconds. One that has stopped in order is removed at once; one that was lost is listed for a day.',
    ...{ answer: 'WorkerList', answerDescription: 'At most 200 workers, those seen last first.' },
    example: {
      items: [
        {
          ...{ id: '5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11', host: 'worker-0', release: '0.1.0' },
          ...{
            started_at: '2026-11-21T08:00:00.000Z',
            last_seen_at: '2026-11-21T09:41:05.120Z',
            is_alive: true,
          },
          queues: [{ queue: 'account-imports', active: 4, is_consuming: true, retries: 0 }],
        },
      ],
    },
  });

/** Describes the pause of a queue. */
export const DescribePause = () =>
  OperatorOperation({
    ...{ ...queue, operationId: 'pauseQueue', summary: 'Pause a queue for all workers', role: 'operator' },
    description: 'Jobs that are running end. Safe to repeat.',
    ...{ answer: 'Queue', answerDescription: 'The queue.', example: { ...queueExample, paused: true } },
    errors: ['not_found'],
  });

/** Describes the resumption of a queue. */
export const DescribeResume = () =>
  OperatorOperation({
    ...{ ...queue, operationId: 'resumeQueue', summary: 'Resume a paused queue', role: 'operator' },
    description: 'Safe to repeat.',
    ...{ answer: 'Queue', answerDescription: 'The queue.', example: queueExample, errors: ['not_found'] },
  });
