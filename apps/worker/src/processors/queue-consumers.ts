import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';
import { QueueBackend, type QueueName, queueSettings, withTimeout } from '@portage/queues';
import type { Job, Worker } from 'bullmq';
import { AccountImportsProcessor } from './account-imports.processor';
import { DocumentsProcessor } from './documents.processor';
import { EmailsProcessor } from './emails.processor';
import { JobWatch } from './job-watch';
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
  private readonly workers = new Map<QueueName, Worker>();

  constructor(
    accountImports: AccountImportsProcessor,
    transactions: TransactionsProcessor,
    paymentInstructions: PaymentInstructionsProcessor,
    documents: DocumentsProcessor,
    emails: EmailsProcessor,
    maintenance: MaintenanceProcessor,
    private readonly backend: QueueBackend,
    private readonly logger: Logger,
    private readonly watch: JobWatch,
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
    return this.workers.size > 0 && [...this.workers.keys()].every((queue) => this.isRunning(queue));
  }

  /** The queue's consumer is taking jobs, or would if there were any. */
  isRunning(queue: QueueName): boolean {
    return this.workers.get(queue)?.isRunning() ?? false;
  }

  onApplicationBootstrap(): void {
    for (const [queue, processor] of Object.entries(this.processors) as [QueueName, Processor][]) {
      const worker = this.backend.worker(
        queue,
        (job) => this.watch.over(queue, job, () => processor.process(job)),
        this.config[queueSettings[queue].concurrency],
      );
      this.workers.set(queue, worker);
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
    await withTimeout(
      this.config.DRAIN_TIMEOUT_MS,
      Promise.all([...this.workers.values()].map((worker) => worker.close())),
    ).catch((error: unknown) => {
      this.logger.warning('Jobs were still running, or the queue did not answer, when time was up.', {
        error,
      });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    const closing = [...this.workers.values()].map((worker) => withTimeout(1_000, worker.close(true)));
    await Promise.allSettled(closing);
  }
}
