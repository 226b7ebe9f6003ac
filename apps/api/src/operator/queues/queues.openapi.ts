import { OperatorOperation } from '../openapi/describe-operation';
import {
  described,
  flag,
  integer,
  listOf,
  moment,
  nullable,
  number,
  objectOf,
  oneOf,
  ref,
  type Schema,
  text,
} from '../openapi/schema-forms';

export const queueSchemas: Readonly<Record<string, Schema>> = {
  Queue: objectOf({
    name: text,
    backend: oneOf(['redis', 'postgres']),
    waiting: integer,
    active: integer,
    delayed: integer,
    prioritized: integer,
    failed: integer,
    completed: described(integer, 'Finished jobs that are still kept.'),
    paused: flag,
    oldest_waiting_at: described(
      nullable(moment),
      'When the job became due that waits longest among the next ones.',
    ),
    rate_per_second: described(
      nullable(number),
      'Jobs that were completed in a second, over the last full minutes. Null if the queue keeps no metrics.',
    ),
    retries: described(integer, 'Retries within the last hour, as the workers that are alive report them.'),
    board_url: described(text, 'The queue in Bull Board, on this host.'),
  }),
  QueueList: objectOf({ items: listOf(ref('Queue')) }),
  WorkerConsumption: objectOf({
    queue: text,
    active: integer,
    is_consuming: flag,
    retries: described(integer, 'Within the last hour.'),
  }),
  Worker: objectOf({
    id: text,
    host: text,
    release: text,
    started_at: moment,
    last_seen_at: moment,
    is_alive: described(flag, 'True if it has reported within the last 45 seconds.'),
    queues: listOf(ref('WorkerConsumption')),
  }),
  WorkerList: objectOf({ items: listOf(ref('Worker')) }),
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
