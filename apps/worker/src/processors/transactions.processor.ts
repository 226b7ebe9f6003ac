import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type AddingOutcome, ProcessTransactionsRequests } from '@portage/accounts';
import {
  accountRequestJob,
  type BatchedAccountRequest,
  type JobPayload,
  JobProducer,
  Logger,
  Tracing,
} from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failAttempt, fieldsOf, MAX_BATCH_STALLS } from './job-attempt';

const QUEUE = 'transactions';

type BatchPayload = JobPayload<typeof QUEUE, 'add-transactions-batch'>;

/** Processes jobs of `transactions`: each adds all transactions of one or several requests, or none of a request. */
@Processor(QUEUE)
export class TransactionsProcessor extends WorkerHost {
  constructor(
    private readonly processRequests: ProcessTransactionsRequests,
    private readonly jobs: JobProducer,
    private readonly tracing: Tracing,
    private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * Performs the requests of a job together. A retry skips the requests that are finished.
   *
   * @throws UnrecoverableError if a request has ended with an internal error, so that the job shows as failed
   * @throws Error if a retry may succeed; after the last attempt the sweeper enqueues the requests again
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['add-transactions', 'add-transactions-batch']);
    const { data } = job;
    // One request may crash its worker each time. Alone it does not take others with it.
    if ('requests' in data && job.stalledCounter >= MAX_BATCH_STALLS) return this.enqueueAlone(data);

    const outcomes = new Set<AddingOutcome>();
    const failures = new Set<unknown>();
    for (const result of await this.perform('requests' in data ? data.requests : [data])) {
      if (result.status === 'rejected') failures.add(result.reason);
      else {
        outcomes.add(result.value);
        this.logger.debug('A job has ended.', { ...fieldsOf(job), status: result.value });
      }
    }
    const [failure] = [...failures].map((error) => failAttempt(this.logger, job, error));
    if (failure) throw failure;
    if (outcomes.has('failed')) throw new UnrecoverableError('error');
  }

  /** Each request of a batch has a span in its own trace. */
  private async perform(
    requests: readonly BatchedAccountRequest[],
  ): Promise<PromiseSettledResult<AddingOutcome>[]> {
    const results = this.processRequests.run(requests.map(({ requestId }) => requestId));
    return Promise.allSettled(
      requests.map(async ({ traceparent: parent }, index) =>
        this.tracing.inChildSpan('add transactions', { kind: 'consumer', parent }, async () => {
          const result = (await results)[index] as PromiseSettledResult<AddingOutcome>;
          if (result.status === 'rejected') throw result.reason;
          return result.value;
        }),
      ),
    );
  }

  /** @throws Error if the queue does not answer; the batch is then repeated */
  private async enqueueAlone({ requests, organisationId, supplier }: BatchPayload): Promise<void> {
    const jobs = requests.flatMap(({ requestId, externalAccountNumber }) => {
      const [, jobsOfRequest] = accountRequestJob('transactions', {
        organisationId,
        supplier,
        requestId,
        externalAccountNumber,
      });
      return jobsOfRequest;
    });
    if (!(await this.jobs.add(QUEUE, jobs))) throw new Error('unavailable');
  }
}
