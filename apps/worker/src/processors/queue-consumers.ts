import { BullRegistrar, ProcessorDecoratorService, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Logger, QUEUE_NAMES, type QueueName } from '@portage/platform';
import type { Worker } from 'bullmq';
import { JobMonitor } from './job-monitor';

/** Injection token of the processors: one {@link WorkerHost} for each queue. */
export const PROCESSORS = Symbol('PROCESSORS');

/**
 * Starts the workers of all processors once the application is up, and drains them before the application closes its
 * connections.
 */
@Injectable()
export class QueueConsumers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly workers = new Map<string, Worker>();

  constructor(
    private readonly registrar: BullRegistrar,
    private readonly modules: ModuleRef,
    @Inject(PROCESSORS) private readonly processors: readonly WorkerHost[],
    private readonly monitor: JobMonitor,
    private readonly logger: Logger,
  ) {}

  /** True if every queue is consumed. */
  get areRunning(): boolean {
    return QUEUE_NAMES.every((queue) => this.isRunning(queue));
  }

  /** True if the worker of the queue takes jobs when there are any. */
  isRunning(queue: QueueName): boolean {
    return this.workers.get(queue)?.isRunning() ?? false;
  }

  /** The number of jobs of the queue that its worker processes at the same time. */
  concurrency(queue: QueueName): number {
    return this.workers.get(queue)?.concurrency ?? 0;
  }

  onApplicationBootstrap(): void {
    this.monitorProcessors();
    this.registrar.register();
    for (const { worker } of this.processors) {
      this.workers.set(worker.name, worker);
      worker.run().catch((error: unknown) => {
        this.logger.error('A queue is no longer consumed.', { queue: worker.name, error });
      });
    }
  }

  /**
   * Finishes the active jobs and takes no more, while database and queue are still open. Another worker takes the jobs
   * that are not finished within DRAIN_TIMEOUT_MS, once their locks have expired.
   */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.logger.log('Stopping: finishing the active jobs.', signal ? { signal } : {});
    // Each close() is bounded by DRAIN_TIMEOUT_MS.
    await Promise.all([...this.workers.values()].map(async (worker) => worker.close()));
  }

  /** @nestjs/bullmq passes every processor through this service of the application when it builds the workers. */
  private monitorProcessors(): void {
    const decorator = this.modules.get(ProcessorDecoratorService, { strict: false });
    decorator.decorate = (process) => async (job, token) =>
      this.monitor.run(job, async () => process(job, token));
  }
}
