import { Global, Module } from '@nestjs/common';
import { JobProducer } from './job-producer';
import { QueueBackend } from './queue-backend';
import { QueueDepth } from './queue-depth';

@Global()
@Module({
  providers: [QueueBackend, JobProducer, QueueDepth],
  exports: [QueueBackend, JobProducer, QueueDepth],
})
export class QueuesModule {}
