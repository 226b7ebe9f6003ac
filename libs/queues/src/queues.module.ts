import { Global, Module } from '@nestjs/common';
import { JobProducer } from './job-producer';
import { QueueBackend } from './queue-backend';

@Global()
@Module({ providers: [QueueBackend, JobProducer], exports: [QueueBackend, JobProducer] })
export class QueuesModule {}
