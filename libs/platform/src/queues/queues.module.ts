import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { QUEUE_NAMES } from './job-contract';
import { JobProducer } from './job-producer';
import { JobSchedules } from './job-schedules';
import { type ConfiguredQueue, QueueConnection } from './queue-adapter';
import { QueueDepth } from './queue-depth';
import { Queues } from './queues';

@Module({ providers: [QueueConnection], exports: [QueueConnection] })
class QueueConnectionModule {}

/** Provides the queues of the job contract and the services that add jobs to them. Only apps/worker has processors. */
@Module({
  imports: [
    QueueConnectionModule,
    BullModule.forRootAsync({
      imports: [QueueConnectionModule],
      inject: [QueueConnection],
      useFactory: ({ connection }: QueueConnection) => ({ connection }),
      // The worker application starts its workers when everything else is up.
      extraOptions: { manualRegistration: true },
    }),
    BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
  ],
  providers: [
    {
      provide: Queues,
      inject: [QueueConnection, ...QUEUE_NAMES.map((name) => getQueueToken(name))],
      useFactory: (connection: QueueConnection, ...queues: ConfiguredQueue[]) =>
        new Queues(connection, queues),
    },
    JobProducer,
    JobSchedules,
    QueueDepth,
  ],
  exports: [Queues, JobProducer, JobSchedules, QueueDepth],
})
export class QueuesModule {}
