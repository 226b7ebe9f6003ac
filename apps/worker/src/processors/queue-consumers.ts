import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger, Metrics } from '@portage/observability';
import { QueueBackend, type QueueName, within } from '@portage/queues';
import type { Job, Worker } from 'bullmq';
import { AccountImportsProcessor } from './account-imports.processor';
import { DocumentsProcessor } from './documents.processor';
import { EmailsProcessor } from './emails.processor';
import { MaintenanceProcessor } from './maintenance.processor';
import { PaymentInstructionsProcessor } from './payment-instructions.processor';
import { TransactionsProcessor } from './transactions.processor';

interface Processor {
  process(job: Job): Promise<void>;
}

/** Which processor takes the jobs of which queue: the whole answer to "who consumes this?". */
@Injectable()
export class QueueConsumers
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly processors: Record<QueueName, Processor>;
  private readonly workers: Worker[] = [];

  constructor(
    accountImports: AccountImportsProcessor,
    transactions: TransactionsProcessor,
    paymentInstructions: PaymentInstructionsProcessor,
    documents: DocumentsProcessor,
    emails: EmailsProcessor,
    maintenance: MaintenanceProcessor,
    private readonly backend: QueueBackend,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.processors = {
      'account-imports': accountImports,
      transactions,
      'payment-instructions': paymentInstructions,
      documents,
      emails,
      maintenance,
    };
  }

  /** Every consumer is taking jobs. */
  get areRunning(): boolean {
    return this.workers.length > 0 && this.workers.every((worker) => worker.isRunning());
  }

  onApplicationBootstrap(): void {
    for (const [queue, processor] of Object.entries(this.processors) as [QueueName, Processor][]) {
      const worker = this.backend.worker(
        queue,
        (job) => this.measured(queue, processor, job),
        this.config.WORKER_CONCURRENCY,
      );
      this.workers.push(worker);
      worker.run().catch((error: unknown) => {
        this.logger.failure('A queue is no longer consumed.', { queue, error });
      });
    }
  }

  /**
   * Finishes the jobs in hand and takes no more, while database and queue are still there. What is not finished in
   * time is taken up by another worker once its lock has expired.
   */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.logger.info('Stopping: finishing the jobs in hand.', signal ? { signal } : {});
    setTimeout(() => process.exit(1), this.config.DRAIN_TIMEOUT_MS + 5_000).unref();
    await within(
      this.config.DRAIN_TIMEOUT_MS,
      Promise.all(this.workers.map((worker) => worker.close())),
    ).catch((error: unknown) => {
      this.logger.warning('Jobs were still running, or the queue did not answer, when time was up.', {
        error,
      });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => within(1_000, worker.close(true)).catch(() => undefined)));
  }

  private async measured(queue: QueueName, processor: Processor, job: Job): Promise<void> {
    const start = performance.now();
    let outcome = 'failed';
    try {
      await processor.process(job);
      outcome = 'completed';
    } finally {
      this.metrics.jobDuration.observe({ queue, outcome }, (performance.now() - start) / 1_000);
    }
  }
}
