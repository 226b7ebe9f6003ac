import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { type Queues, type QueueName, queueSettings } from '@portage/queues';

type Job = NonNullable<Awaited<ReturnType<BullMQAdapter['getJob']>>>;

/** The part of a payload that names the account; maintenance jobs have none. */
interface AccountPayload {
  supplier?: unknown;
  externalAccountNumber?: unknown;
}

/** The options of a {@link ShownQueue}. */
export interface ShownQueueOptions {
  readOnlyMode: boolean;
  /** The page of the import process of an account. */
  processUrl: (supplier: string, externalAccountNumber: string) => string;
  /** Retries the subject of a failed job through the state machine; false if the job has no such subject. */
  retry: (job: Job) => Promise<boolean>;
}

/** A queue in Bull Board: shows each job with its account, and links to the import process of the account. */
export class ShownQueue extends BullMQAdapter {
  constructor(
    queue: ReturnType<Queues['get']>,
    private readonly shown: ShownQueueOptions,
  ) {
    super(queue, {
      description: queueSettings[queue.name as QueueName].description,
      readOnlyMode: shown.readOnlyMode,
      externalJobUrl: ({ data }) => {
        const account = accountOf(data);
        return account
          ? { displayText: 'Import process', href: shown.processUrl(...account) }
          : // A job without an account links to the page of its queue in the board.
            { displayText: 'Queue', href: `queue/${queue.name}` };
      },
    });
    this.setFormatter('name', ({ name: job, data }: { name: string; data: unknown }) =>
      [job, ...(accountOf(data) ?? [])].join(' '),
    );
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job && this.withRetry(job);
  }

  override async getJobs(...args: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    return (await super.getJobs(...args)).map((job) => this.withRetry(job));
  }

  /**
   * A failed job has ended the version of its subject, so running the job again would do nothing. Its retry therefore
   * goes through the state machine, which enqueues a job for the next version, and the failed job is removed.
   */
  private withRetry(job: Job): Job {
    const retry = job.retry.bind(job);
    job.retry = async (...args: Parameters<Job['retry']>) => {
      if (args[0] === 'failed' && (await this.shown.retry(job))) await job.remove();
      else await retry(...args);
    };
    return job;
  }
}

function accountOf(data: unknown): [string, string] | undefined {
  const { supplier, externalAccountNumber } = (data ?? {}) as AccountPayload;
  return typeof supplier === 'string' && typeof externalAccountNumber === 'string'
    ? [supplier, externalAccountNumber]
    : undefined;
}
