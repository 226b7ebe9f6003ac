import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  type BatchedProcess,
  batchJobId,
  CONFIG,
  type Config,
  importAccountJob,
  importAccountsJob,
  JobProducer,
  Logger,
  Metrics,
} from '@portage/platform';
import { StaleImportRepository, type StaleProcess } from './stale-import.repository';

/** The limits of one sweep. */
export interface SweepLimits {
  /** Number of processes that one step of a sweep checks. */
  batchSize: number;
  /** A sweep that finds missing jobs takes its next step at once while fewer jobs than this are in the queue. */
  minQueueDepth: number;
}

/** A step is one short statement; five steps enqueue enough jobs until the next sweep. */
const SWEEP_LIMITS: SweepLimits = { batchSize: 1_000, minQueueDepth: 5_000 };

/**
 * Enqueues import processes whose schedule window has opened, and unfinished ones whose job is missing, because the queue
 * lost it or never accepted it. An accepted account is therefore always imported. Several workers may sweep at once;
 * each takes other rows.
 */
@Injectable()
export class SweepImportProcesses {
  constructor(
    private readonly staleImports: StaleImportRepository,
    private readonly jobs: JobProducer,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly limits: SweepLimits = SWEEP_LIMITS,
  ) {}

  /**
   * Runs one sweep. It checks `batchSize` processes at a time, the longest waiting first, and continues only while jobs
   * are missing and the queue is shorter than `minQueueDepth`. A process is checked once in SWEEP_AFTER_MS by all
   * sweepers together.
   *
   * @returns the number of missing jobs
   * @throws if the queue cannot be reached; the processes are checked again after SWEEP_AFTER_MS
   */
  async sweep(shouldStop: () => boolean): Promise<number> {
    await this.sweepAll(shouldStop, async (rows) => this.staleImports.takeDue(rows));
    const missing =
      (await this.sweepAll(shouldStop, async (rows) =>
        this.staleImports.take(this.config.SWEEP_AFTER_MS, rows),
      )) +
      (await this.sweepAll(shouldStop, async (rows) =>
        this.staleImports.takeCorrections(this.config.SWEEP_AFTER_MS, rows),
      ));
    if (missing > 0) {
      this.metrics.swept.inc(missing);
      this.logger.log('Enqueued missing jobs of import processes.', { count: missing });
    }
    return missing;
  }

  /** @param take takes the next rows of those that may have no job */
  private async sweepAll(
    shouldStop: () => boolean,
    take: (rows: number) => Promise<StaleProcess[]>,
  ): Promise<number> {
    const { batchSize, minQueueDepth } = this.limits;
    let missing = 0;
    for (;;) {
      // The depth is read first: if the queue cannot be reached, no process is marked as checked.
      const depth = await this.jobs.depth('account-imports');
      const stale = await take(batchSize);
      const { jobCount, processCount } = await this.addMissing(stale);
      missing += processCount;
      const isQueueLongEnough = depth + jobCount >= minQueueDepth;
      if (stale.length < batchSize || jobCount === 0 || isQueueLongEnough || shouldStop()) return missing;
    }
  }

  private async addMissing(
    stale: readonly StaleProcess[],
  ): Promise<{ jobCount: number; processCount: number }> {
    const { single, batches } = await this.findUncovered(stale);
    const addedSingle = await this.addJobs(single.map(ownJobOf));
    const addedBatches = await this.addJobs(batches.map(batchJobOf));
    const processCount = addedBatches === 0 ? 0 : batches.reduce((count, { length }) => count + length, 0);
    return { jobCount: addedSingle + addedBatches, processCount: addedSingle + processCount };
  }

  private async addJobs(jobs: readonly ImportJob[]): Promise<number> {
    return jobs.length === 0 ? 0 : this.jobs.addMissing('account-imports', jobs);
  }

  /**
   * The processes that may need a job of their own, and those whose batch has no job. A process of a batch is missing
   * only if neither the job of the batch nor one of its own is in the queue.
   */
  private async findUncovered(
    stale: readonly StaleProcess[],
  ): Promise<{ single: StaleProcess[]; batches: StaleProcess[][] }> {
    const single = stale.filter(({ batchId }) => batchId === null);
    const batched = stale.filter(({ batchId }) => batchId !== null);
    if (batched.length === 0) return { single, batches: [] };
    const byBatch = groupByBatch(batched);
    const batchJobs = await this.jobs.findUnfinished('account-imports', [...byBatch.keys()]);
    const withoutBatchJob: StaleProcess[] = [];
    for (const [id, processes] of byBatch) {
      const job = batchJobs.get(id);
      for (const process of processes)
        if (job === undefined) withoutBatchJob.push(process);
        // The job may have fewer processes than the batch, because a sweep found only those.
        else if (!isInBatch(process, job)) single.push(process);
    }
    const ownJobs = await this.jobs.findUnfinished(
      'account-imports',
      withoutBatchJob.map((process) => ownJobOf(process).id),
    );
    const missing = withoutBatchJob.filter((process) => !ownJobs.has(ownJobOf(process).id));
    return { single, batches: [...groupByBatch(missing).values()] };
  }
}

type ImportJob = ReturnType<typeof importAccountJob>;

/** The job of one process. */
function ownJobOf(process: StaleProcess): ImportJob {
  return importAccountJob({ ...sharedFields(process), ...batchedProcess(process) });
}

/** The job of the missing processes of one batch. */
function batchJobOf(processes: readonly StaleProcess[]): ImportJob {
  const first = processes[0] as StaleProcess;
  return importAccountsJob({
    ...sharedFields(first),
    batchId: first.batchId as string,
    processes: processes.map(batchedProcess),
  });
}

function sharedFields({ organisationId, supplierCode, submissionId }: StaleProcess) {
  return { organisationId, supplier: supplierCode, ...(submissionId !== null && { submissionId }) };
}

function batchedProcess({ processId, version, externalAccountNumber }: StaleProcess): BatchedProcess {
  return { processId, version, externalAccountNumber };
}

/** True if the job of a batch imports this version. */
function isInBatch({ processId, version }: StaleProcess, payload: unknown): boolean {
  const { processes = [] } = (payload ?? {}) as { processes?: readonly BatchedProcess[] };
  return processes.some((process) => process.processId === processId && process.version === version);
}

function groupByBatch(processes: readonly StaleProcess[]): Map<string, StaleProcess[]> {
  const groups = new Map<string, StaleProcess[]>();
  for (const process of processes) {
    const id = batchJobId(process.batchId as string);
    const group = groups.get(id);
    if (group) group.push(process);
    else groups.set(id, [process]);
  }
  return groups;
}
