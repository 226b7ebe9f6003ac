import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueBackend, QueueName } from '@portage/queues';
import { queueSettings } from '@portage/queues';

type Job = NonNullable<Awaited<ReturnType<BullMQAdapter['getJob']>>>;

/** What nearly every job says of itself: whose account it is about. */
interface AboutAccount {
  supplier?: unknown;
  externalAccountNumber?: unknown;
}

export interface ShownQueueOptions {
  readOnlyMode: boolean;
  /** Where the process behind an account is shown. */
  processUrl: (supplier: string, externalAccountNumber: string) => string;
  /** Takes up what a failed job has worked on; false where there is nothing to take up. */
  retry: (job: Job) => Promise<boolean>;
}

/** A queue as Bull Board shows it: each job under the name of its account, with a link to the account's process. */
export class ShownQueue extends BullMQAdapter {
  constructor(
    backend: QueueBackend,
    name: QueueName,
    private readonly shown: ShownQueueOptions,
  ) {
    super(backend.queue(name), {
      description: queueSettings[name].description,
      readOnlyMode: shown.readOnlyMode,
      externalJobUrl: ({ data }) => {
        const account = accountOf(data);
        return account
          ? { displayText: 'Import process', href: shown.processUrl(...account) }
          : // The board's own page: a job that is about no account leads nowhere else.
            { displayText: 'Queue', href: `queue/${name}` };
      },
    });
    this.setFormatter('name', ({ name: job, data }: { name: string; data: unknown }) =>
      [job, ...(accountOf(data) ?? [])].join(' '),
    );
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job && this.retryable(job);
  }

  override async getJobs(...asked: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    return (await super.getJobs(...asked)).map((job) => this.retryable(job));
  }

  /**
   * A job works on one version of what it is about, and a failed one has brought that version to its end. Retrying it
   * therefore goes through the state machine; the failed job has then served its purpose.
   */
  private retryable(job: Job): Job {
    const again = job.retry.bind(job);
    job.retry = async (...as: Parameters<Job['retry']>) => {
      if (as[0] === 'failed' && (await this.shown.retry(job))) await job.remove();
      else await again(...as);
    };
    return job;
  }
}

function accountOf(data: unknown): [string, string] | undefined {
  const { supplier, externalAccountNumber } = (data ?? {}) as AboutAccount;
  return typeof supplier === 'string' && typeof externalAccountNumber === 'string'
    ? [supplier, externalAccountNumber]
    : undefined;
}
