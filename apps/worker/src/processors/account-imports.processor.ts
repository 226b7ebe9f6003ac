import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { Semaphore } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import { ImportAccount, PerformProcessingRequest } from '@portage/importing';
import { Logger, Metrics, Tracing } from '@portage/observability';
import {
  type BatchedProcess,
  importAccountJob,
  isBulk,
  type JobPayload,
  JobProducer,
  queueSettings,
} from '@portage/queues';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failureCode } from './failure-code';

const QUEUE = 'account-imports';

/** Times that the worker of a batch may die before each account of the batch gets a job of its own. */
const MAX_BATCH_STALLS = 2;

/**
 * The order in which accounts start while IMPORT_CONCURRENCY are being imported: those with a job of their own, accounts
 * that were sent one by one and stored together, uploads. Within each, organisations take turns.
 */
const RANKS = { single: 0, interactive: 1, bulk: 2 } as const;

type Payload = JobPayload<typeof QUEUE>;
type BatchPayload = JobPayload<typeof QUEUE, 'import-accounts'>;
type AccountPayload = Exclude<Payload, BatchPayload>;

/** The result of a job, with the code of a process that has ended without an account. */
interface Outcome {
  kind: string;
  code?: string;
  /** Time until the schedule window opens, where it is yet to open. */
  opensInMs?: number;
}

/** The end of one account of a batch: it needs a job of its own, the database is away, or its window opens later. */
type BatchEnd = 'ended' | 'alone' | 'unavailable' | { opensInMs: number };

/** A transient failure of one account. Its message is the failure code, which is all that the queue stores. */
class TransientFailure extends Error {}

/**
 * Processes jobs of `account-imports`: each imports one version of an import process, by itself or because a request
 * processes a staged account, or the versions that were stored together as a batch.
 *
 * At most IMPORT_CONCURRENCY accounts are imported at the same time, whatever jobs they belong to. Accounts with a job
 * of their own do not wait for those of batches.
 */
@Processor(QUEUE)
export class AccountImportsProcessor extends WorkerHost {
  private readonly accounts: Semaphore;

  constructor(
    private readonly importAccount: ImportAccount,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
    private readonly performRequest: PerformProcessingRequest,
    private readonly jobs: JobProducer,
    @Inject(CONFIG) { IMPORT_CONCURRENCY }: Pick<Config, 'IMPORT_CONCURRENCY'>,
  ) {
    super();
    this.accounts = new Semaphore(IMPORT_CONCURRENCY);
  }

  /**
   * @throws UnrecoverableError if the process has ended without an account, so that the job shows as failed
   * @throws DelayedError if the job was put back until the schedule window opens
   * @throws Error if a retry may succeed
   */
  async process(job: Job<Payload>, token?: string): Promise<void> {
    assertJobName(job, ['import-account', 'import-accounts', 'process-account']);
    const { data } = job;
    if ('processes' in data) return this.importBatch(job, data, token);
    const isLastAttempt = job.attemptsMade + 1 >= queueSettings[QUEUE].attempts;
    const { code, opensInMs } = await this.accounts.run(async () => this.attempt(job, data, isLastAttempt), {
      rank: RANKS.single,
      owner: data.organisationId,
    });
    if (opensInMs !== undefined) return putBack(job, opensInMs, token);
    if (code !== undefined) throw new UnrecoverableError(code);
  }

  /**
   * Imports the accounts of a batch. Those that are finished already do nothing, so that a batch is safe to repeat.
   *
   * An account that fails for a passing reason gets a job of its own with its own attempts, and so does an account that
   * ends without success, because its job shows as failed. If the database is away, the batch is retried as a whole: a
   * book that waits does not become as many jobs as it has accounts.
   */
  private async importBatch(
    job: Job<Payload>,
    { processes, ...shared }: BatchPayload,
    token: string | undefined,
  ): Promise<void> {
    const accounts = processes.map((process) => ({ ...shared, ...process }));
    // One account may crash its worker each time. Alone it does not take others with it.
    if (job.stalledCounter >= MAX_BATCH_STALLS) return this.enqueueAlone(accounts);
    const ends = await Promise.all(accounts.map(async (account) => this.importOneOfBatch(job, account)));
    if (ends.includes('unavailable')) throw new Error('unavailable');
    const alone = accounts.filter((_account, place) => ends[place] === 'alone');
    await this.enqueueAlone(alone);
    const delays = ends.flatMap((end) => (typeof end === 'object' ? [end.opensInMs] : []));
    if (delays.length > 0) await putBack(job, Math.max(...delays), token);
  }

  /** Never fails with a transient error. */
  private async importOneOfBatch(
    job: Job<Payload>,
    account: JobPayload<typeof QUEUE, 'import-account'> & Pick<BatchedProcess, 'traceparent'>,
  ): Promise<BatchEnd> {
    const { traceparent, ...data } = account;
    try {
      const { code, opensInMs } = await this.accounts.run(
        async () =>
          this.tracing.inChildSpan('import account', { kind: 'consumer', parent: traceparent }, async () =>
            this.attempt(job, data, false),
          ),
        { rank: isBulk(data) ? RANKS.bulk : RANKS.interactive, owner: data.organisationId },
      );
      if (opensInMs !== undefined) return { opensInMs };
      return code === undefined ? 'ended' : 'alone';
    } catch (error) {
      if (!(error instanceof TransientFailure)) throw error;
      return error.message === 'unavailable' ? 'unavailable' : 'alone';
    }
  }

  /** @throws Error if the queue does not answer; the batch is then repeated */
  private async enqueueAlone(accounts: readonly JobPayload<typeof QUEUE, 'import-account'>[]): Promise<void> {
    if (accounts.length === 0) return;
    const added = await this.jobs.add(
      QUEUE,
      accounts.map((account) => importAccountJob(account)),
    );
    if (!added) throw new Error('unavailable');
  }

  /**
   * Runs one attempt of one account, and counts and logs its end.
   *
   * @throws TransientFailure if a retry may succeed
   */
  private async attempt(job: Job<Payload>, data: AccountPayload, isLastAttempt: boolean): Promise<Outcome> {
    const { supplier } = data;
    const subject = 'requestId' in data ? {} : { processId: data.processId, version: data.version };
    const fields = { queue: QUEUE, supplier, ...subject, ...(job.id ? { jobId: job.id } : {}) };
    let outcome: Outcome;
    try {
      outcome = await this.perform(data, isLastAttempt);
    } catch (error) {
      this.logger.warning('A job attempt failed with a transient error.', {
        ...fields,
        attempt: job.attemptsMade + 1,
        error,
      });
      this.metrics.imports.inc({ outcome: 'retried' });
      throw new TransientFailure(failureCode(error));
    }
    if (outcome.opensInMs !== undefined) {
      this.logger.warning(
        'A job was taken before its schedule window opens, and put back. Compare the clocks.',
        {
          ...fields,
          milliseconds: outcome.opensInMs,
        },
      );
      return outcome;
    }
    if (!showsEarlierError(outcome)) this.metrics.imports.inc({ outcome: outcome.kind });
    this.logger.detail('A job has ended.', { ...fields, status: outcome.kind });
    return outcome;
  }

  /** An error of a staged account is its client's answer, and its job completes. */
  private async perform(data: AccountPayload, isLastAttempt: boolean): Promise<Outcome> {
    if ('requestId' in data) return { kind: await this.performRequest.run(data.requestId, isLastAttempt) };
    const { processId, version } = data;
    return this.importAccount.run({ processId, version }, isLastAttempt);
  }
}

/**
 * Starts a job again after a time, without counting an attempt. The clock of this worker is probably ahead, and so the
 * time is relative to it.
 *
 * @throws DelayedError, which ends the attempt
 */
async function putBack(job: Job, delayMs: number, token: string | undefined): Promise<void> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}

/** True for a job that only shows an error. The import was counted when it ended with the error, in another job. */
function showsEarlierError({ kind, code }: Outcome): boolean {
  return kind === 'outdated' && code !== undefined;
}
