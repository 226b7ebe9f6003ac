import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { PortageError, type QueueName, type Queues, queueSettings } from '@portage/platform';

type Job = NonNullable<Awaited<ReturnType<BullMQAdapter['getJob']>>>;

/** The part of a payload that names the account; maintenance jobs have none. */
interface AccountPayload {
  supplier?: unknown;
  externalAccountNumber?: unknown;
  /** The accounts of a batch of imports. */
  processes?: unknown;
  /** The requests of a batch of transactions requests, each about another account. */
  requests?: unknown;
}

/** The options of a {@link ShownQueue}. */
export interface ShownQueueOptions {
  readOnlyMode: boolean;
  /** The page of the import process of an account. */
  processUrl: (supplier: string, externalAccountNumber: string) => string;
  /** The page with the accounts of a batch. */
  batchUrl: (jobId: string) => string;
  /** Retries the subject of a failed job through the state machine; false if the job has no such subject. */
  retry: (job: Job) => Promise<boolean>;
}

/**
 * A queue in Bull Board: shows each job with its account, and links to the import process of the account. The job of a
 * batch is shown with the number of its accounts, and links to a page with all of them.
 */
export class ShownQueue extends BullMQAdapter {
  constructor(
    queue: ReturnType<Queues['get']>,
    private readonly shown: ShownQueueOptions,
  ) {
    super(queue, {
      description: queueSettings[queue.name as QueueName].description,
      readOnlyMode: shown.readOnlyMode,
      externalJobUrl: ({ id, data }) => {
        const account = accountOf(data);
        if (account) return { displayText: 'Import process', href: shown.processUrl(...account) };
        if (batchOf(data) && id) return { displayText: 'Import processes', href: shown.batchUrl(String(id)) };
        // A job without an account links to the page of its queue in the board.
        return { displayText: 'Queue', href: `queue/${queue.name}` };
      },
    });
    this.setFormatter('name', ({ name: job, data }: { name: string; data: unknown }) =>
      [job, ...(accountOf(data) ?? batchNameOf(data))].join(' '),
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
      if (args[0] === 'completed')
        throw new PortageError('operation_refused', 'A completed job is not run again: its work is done.');
      if (args[0] === 'failed' && (await this.shown.retry(job))) await job.remove();
      else await retry(...args);
    };
    return job;
  }
}

/** The supplier and the account numbers of a batch; undefined for any other job. */
export function batchOf(data: unknown): { supplier: string; accounts: string[] } | undefined {
  const { supplier, processes } = (data ?? {}) as AccountPayload;
  if (typeof supplier !== 'string' || !Array.isArray(processes)) return undefined;
  const accounts = (processes as AccountPayload[]).map(({ externalAccountNumber }) =>
    String(externalAccountNumber),
  );
  return { supplier, accounts };
}

function batchNameOf(data: unknown): string[] {
  const { supplier, processes, requests = processes } = (data ?? {}) as AccountPayload;
  return typeof supplier === 'string' && Array.isArray(requests)
    ? [supplier, `${requests.length} accounts`]
    : [];
}

function accountOf(data: unknown): [string, string] | undefined {
  const { supplier, externalAccountNumber } = (data ?? {}) as AccountPayload;
  return typeof supplier === 'string' && typeof externalAccountNumber === 'string'
    ? [supplier, externalAccountNumber]
    : undefined;
}
