import { Global, Module } from '@nestjs/common';
import { JobProducer } from './job-producer';
import { JobSchedules } from './job-schedules';
import { QueueBackend } from './queue-backend';
import { QueueDepth } from './queue-depth';

@Global()
@Module({
  providers: [QueueBackend, JobProducer, JobSchedules, QueueDepth],
  exports: [QueueBackend, JobProducer, JobSchedules, QueueDepth],
})
export class QueuesModule {}
