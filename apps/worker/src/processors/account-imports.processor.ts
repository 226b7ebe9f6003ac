import { Processor, WorkerHost } from '@nestjs/bullmq';
import {
  type ImportableVersion,
  ImportAccounts,
  ImportMetrics,
  type ImportOutcome,
  PerformProcessingRequest,
} from '@portage/imports';
import {
  type BatchedProcess,
  importAccountJob,
  type JobPayload,
  JobProducer,
  Logger,
  queueSettings,
  Tracing,
} from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failAttempt, failureCode, fieldsOf, MAX_BATCH_STALLS } from './job-attempt';

const QUEUE = 'account-imports';

type Payload = JobPayload<typeof QUEUE>;
type AccountPayload = JobPayload<typeof QUEUE, 'import-account'>;
type BatchPayload = JobPayload<typeof QUEUE, 'import-accounts'>;
type RequestPayload = JobPayload<typeof QUEUE, 'process-account'>;

/**
 * Processes jobs of `account-imports`: each imports a batch, which is the versions of import processes that were stored
 * together, or one version, by itself or because a request processes a staged account.
 */
@Processor(QUEUE)
export class AccountImportsProcessor extends WorkerHost {
  constructor(
    private readonly importAccounts: ImportAccounts,
    private readonly logger: Logger,
    private readonly metrics: ImportMetrics,
    private readonly tracing: Tracing,
    private readonly performRequest: PerformProcessingRequest,
    private readonly jobs: JobProducer,
  ) {
    super();
  }

  /**
   * @throws UnrecoverableError if the process has ended without an account, so that the job shows as failed
   * @throws Error if a retry may succeed
   */
  async process(job: Job<Payload>): Promise<void> {
    assertJobName(job, ['import-account', 'import-accounts', 'process-account']);
    const { data } = job;
    if ('processes' in data) return this.importBatch(job, data);
    if ('requestId' in data) return this.processStaged(job, data);
    return this.importOne(job, data);
  }

  private async importOne(job: Job<Payload>, { processId, version }: AccountPayload): Promise<void> {
    const [outcome] = await this.import(job, [{ processId, version }], isLastAttempt(job));
    if (outcome?.kind === 'interrupted') throw new Error(failureCode(outcome.error));
    const code = errorOf(outcome);
    if (code !== undefined) throw new UnrecoverableError(code);
  }

  /**
   * Imports the accounts of a batch. Those that are finished already do nothing, so that a batch is safe to repeat.
   *
   * An account that fails for a passing reason gets a job of its own with its own attempts, and so does an account that
   * ends without success, because its job shows as failed. If the database is away, the batch is retried as a whole: a
   * book that waits does not become as many jobs as it has accounts.
   */
  private async importBatch(job: Job<Payload>, { processes, ...shared }: BatchPayload): Promise<void> {
    const accounts = processes.map((process) => ({ ...shared, ...process }));
    // One account may crash its worker each time. Alone it does not take others with it.
    if (job.stalledCounter >= MAX_BATCH_STALLS) return this.enqueueAlone(accounts);
    const outcomes = await this.inSpans(processes, this.import(job, processes, false));
    if (outcomes.some(isUnavailable)) throw new Error('unavailable');
    await this.enqueueAlone(
      accounts.filter((_account, place) => {
        const outcome = outcomes[place];
        return outcome?.kind === 'interrupted' || errorOf(outcome) !== undefined;
      }),
    );
  }

  /** An error of a staged account is its client's answer, and its job completes. */
  private async processStaged(job: Job<Payload>, { requestId }: RequestPayload): Promise<void> {
    try {
      const kind = await this.performRequest.run(requestId, isLastAttempt(job));
      this.metrics.imports.inc({ outcome: kind });
      this.logger.debug('A job has ended.', { ...fieldsOf(job), status: kind });
    } catch (error) {
      throw this.interrupt(job, error);
    }
  }

  /** Imports a batch, and counts and logs the outcome of each account. */
  private async import(
    job: Job<Payload>,
    processes: readonly Omit<BatchedProcess, 'externalAccountNumber'>[],
    isLast: boolean,
  ): Promise<ImportOutcome[]> {
    const isFirstRun = job.attemptsMade === 0 && job.stalledCounter === 0;
    const outcomes = await this.importAccounts.import(processes, { isFirstRun, isLastAttempt: isLast });
    for (const [place, outcome] of outcomes.entries()) {
      const { processId, version } = processes[place] as BatchedProcess;
      this.report(job, { processId, version }, outcome);
    }
    return outcomes;
  }

  private report(job: Job<Payload>, process: ImportableVersion, outcome: ImportOutcome): void {
    if (outcome.kind === 'interrupted') {
      this.interrupt(job, outcome.error, process);
      return;
    }
    // A job that only shows an error is not counted: the import was, when it ended with the error, in another job.
    if (outcome.kind !== 'outdated' || outcome.code === undefined)
      this.metrics.imports.inc({ outcome: outcome.kind });
    this.logger.debug('A job has ended.', { ...fieldsOf(job), ...process, status: outcome.kind });
  }

  private interrupt(job: Job<Payload>, error: unknown, process?: ImportableVersion): Error {
    this.metrics.imports.inc({ outcome: 'retried' });
    return failAttempt(this.logger, job, error, process);
  }

  /** Shows the batch in the trace of each request that has sent one of its accounts. */
  private async inSpans(
    processes: readonly BatchedProcess[],
    batch: Promise<ImportOutcome[]>,
  ): Promise<ImportOutcome[]> {
    const spans = processes.map(async ({ traceparent }) =>
      this.tracing.inChildSpan(
        'import account',
        { kind: 'consumer', parent: traceparent },
        async () => batch,
      ),
    );
    await Promise.all(spans);
    return batch;
  }

  /** @throws Error if the queue does not answer; the batch is then repeated */
  private async enqueueAlone(accounts: readonly AccountPayload[]): Promise<void> {
    if (accounts.length === 0) return;
    const added = await this.jobs.add(
      QUEUE,
      accounts.map((account) => importAccountJob(account)),
    );
    if (!added) throw new Error('unavailable');
  }
}

function isLastAttempt({ attemptsMade }: Job): boolean {
  return attemptsMade + 1 >= queueSettings[QUEUE].attempts;
}

/** The code of a process that has ended without an account, now or before. */
function errorOf(outcome: ImportOutcome | undefined): string | undefined {
  return outcome && 'code' in outcome ? outcome.code : undefined;
}

function isUnavailable(outcome: ImportOutcome): boolean {
  return outcome.kind === 'interrupted' && failureCode(outcome.error) === 'unavailable';
}
