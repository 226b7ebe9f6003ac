import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@portage/batching';
import {
  identityOf,
  ImportProcessSchedulingRepository,
  type InsertedImport,
  type ScheduledImport,
} from '@portage/database';
import { JobCorrelation, Tracing } from '@portage/observability';
import { type BatchedProcess, importAccountsJob, JobProducer } from '@portage/queues';
import { ImportJobs } from '../account/import-jobs';
import { ImportProcessStore } from '../account/ports/import-process-store';
import type { AccountLabel } from '../follow-ups/account-follow-ups';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/** A process to insert, with what its job needs. */
interface NewProcess {
  readonly scheduled: ScheduledImport;
  readonly label: AccountLabel;
  /** The span of the request, so that the import is in the trace of the request. */
  readonly traceparent: string | undefined;
}

/** The result of an insert. `batchJob` is undefined if the process was not stored or has a job of its own. */
interface StoredProcess {
  readonly inserted: InsertedImport;
  readonly batchJob: SharedJob | undefined;
}

/**
 * Coalesces concurrent inserts of import processes into one statement. The accounts of one supplier that one statement
 * has stored share one job.
 */
@Injectable()
export class BatchedImportProcessStore extends ImportProcessStore {
  private readonly inserts: Batcher<NewProcess, StoredProcess>;

  constructor(
    private readonly processes: ImportProcessSchedulingRepository,
    private readonly jobs: JobProducer,
    private readonly ownJobs: ImportJobs,
    private readonly tracing: Tracing,
    @Inject(BATCH_POLICY) policy: BatchPolicy,
  ) {
    super();
    this.inserts = new Batcher<NewProcess, StoredProcess>(async (batch) => this.insertAll(batch), {
      ...buildCommonLimits(policy),
      maxSize: policy.maxInsertRows,
      maxWeight: policy.maxInsertLength,
      weightOf: ({ scheduled }) => scheduled.payload.length,
      keyOf: ({ scheduled }) => identityOf(scheduled),
    });
  }

  override async insert(scheduled: ScheduledImport, label: AccountLabel): Promise<InsertedImport> {
    const { traceparent } = this.tracing;
    const { inserted, batchJob } = await this.inserts.add({ scheduled, label, traceparent });
    // The next statement does not wait for the queue.
    if (batchJob) await batchJob.add();
    else if (inserted.kind === 'stored')
      await this.ownJobs.add(inserted.version, label, scheduled.scheduleWindowStart);
    return inserted;
  }

  private async insertAll(batch: readonly NewProcess[]): Promise<StoredProcess[]> {
    const results = await this.processes.insert(batch.map(({ scheduled }) => scheduled));
    const batchJobs = this.batchJobs(batch, results);
    return results.map((inserted) => ({
      inserted,
      batchJob:
        inserted.kind === 'stored' && inserted.batchId !== null ? batchJobs.get(inserted.batchId) : undefined,
    }));
  }

  /** The jobs of the batches of which more than one account was stored. */
  private batchJobs(
    batch: readonly NewProcess[],
    results: readonly InsertedImport[],
  ): Map<string, SharedJob> {
    const members = new Map<string, { first: NewProcess; processes: BatchedProcess[] }>();
    for (const [index, inserted] of results.entries()) {
      if (inserted.kind !== 'stored' || inserted.batchId === null) continue;
      const added = batch[index] as NewProcess;
      const { label, traceparent } = added;
      const process = {
        ...inserted.version,
        externalAccountNumber: label.externalAccountNumber,
        ...(traceparent !== undefined && { traceparent }),
      };
      const found = members.get(inserted.batchId);
      if (found) found.processes.push(process);
      else members.set(inserted.batchId, { first: added, processes: [process] });
    }
    const jobs = new Map<string, SharedJob>();
    for (const [batchId, { first, processes }] of members) {
      if (processes.length < 2) continue;
      const { organisationId, supplier } = first.label;
      const job = importAccountsJob({ organisationId, supplier, batchId, processes });
      jobs.set(batchId, new SharedJob(this.jobs, job));
    }
    return jobs;
  }
}

/** The job of a batch, which the first of its requests adds and the others wait for. */
class SharedJob {
  private added: Promise<boolean> | undefined;

  constructor(
    private readonly jobs: JobProducer,
    private readonly job: ReturnType<typeof importAccountsJob>,
  ) {}

  /** Settles once the queue has confirmed the job or has not answered in time. Never throws. */
  async add(): Promise<void> {
    JobCorrelation.recordJob(this.job.id);
    this.added ??= this.jobs.add('account-imports', [this.job]);
    await this.added;
  }
}
