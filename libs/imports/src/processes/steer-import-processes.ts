import { Injectable } from '@nestjs/common';
import {
  ActingOperator,
  type AuditEntry,
  AuditRepository,
  Database,
  type Executor,
  importAccountJob,
  type JobPayload,
  JobProducer,
  PortageError,
} from '@portage/platform';
import { type ImportSupplierEntity, ImportSupplierRepository } from '@portage/tenants';
import {
  ImportProcessSteeringRepository,
  type SteeredProcess,
  type Steering,
  type StretchCount,
  type StretchSelection,
} from './import-process-steering.repository';
import { IMPORT_PROCESS_TRANSITIONS, type ImportProcessStatus } from './status';
import { type SkipReason, skipReasonOf, steerableStatuses, type SteeringAction } from './steering';
import { addTallyToEntry, addToTally, isSteered, type SteeringTally } from './steering-tally';

/** Selects processes of one supplier. */
export interface ProcessSelector {
  supplier: string;
  status?: ImportProcessStatus | undefined;
  errorCode?: string | undefined;
}

/** Selects processes for one stretch of a long action. */
export interface ProcessStretch extends Omit<StretchSelection, 'supplierId'> {
  supplier: string;
  /** Only processes in this status. Cancelled ones are selected only if it names them. */
  status?: ImportProcessStatus | undefined;
}

/** A submission whose accounts had a dry run. */
export interface SubmissionAfterDryRun {
  id: string;
  reference: string;
  supplier: string;
}

/** The result of one stretch. */
export interface SteeredStretch {
  tally: SteeringTally;
  /** Processes that were considered. */
  considered: number;
  /** The process that was considered last; undefined once none is left. */
  last: string | undefined;
}

/** Processes that are moved in one statement, and whose jobs are added together after its commit. */
const BATCH_SIZE = 500;

const PAST_PARTICIPLE: Record<SteeringAction, string> = {
  release: 'released',
  cancel: 'cancelled',
  retry: 'retried',
};

/** Reads and moves the next processes after one of them. */
type ReadBatch = (after: string, rows: number, executor: Executor) => Promise<SteeredProcess[]>;

interface BatchOptions {
  signal: AbortSignal | undefined;
  onProgress: ((count: number) => void) | undefined;
  /** The greatest number of processes to consider. */
  limit?: number | undefined;
  /** Begins after this process. */
  after?: string | undefined;
  /** Is called after each batch with its last process; undefined at the end of the selection. */
  onBatch?: (last: string | undefined) => void;
}

/** Rolls back a retry that would have moved another version of the process than the failed one. */
class VersionConflict extends Error {}

/** Releases, cancels and retries import processes: one, or all that a selector matches. */
@Injectable()
export class SteerImportProcesses {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly processes: ImportProcessSteeringRepository,
    private readonly jobs: JobProducer,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Steers one process.
   *
   * @returns false if the queue did not accept its job, which the sweeper adds then
   * @throws PortageError `operation_refused` if there is no such process, or with the reason why it cannot be steered
   */
  async steerOne(action: SteeringAction, code: string, externalAccountNumber: string): Promise<boolean> {
    const supplier = await this.requireSupplier(code, action);
    const steering = { action, from: steerableStatuses(action, true), actor: this.operator.actor };
    const found = await this.database.transaction(async (executor) => {
      const process = await this.processes.steerOne(steering, supplier.id, externalAccountNumber, executor);
      if (typeof process?.version === 'number')
        await this.audit.record(executor, {
          ...this.auditEntry(action, code),
          subject: externalAccountNumber,
        });
      return process;
    });
    if (!found)
      throw new PortageError(
        'operation_refused',
        `Supplier ${code} has no process for the account number ${externalAccountNumber}.`,
      );
    if (found.version === null)
      throw new PortageError(
        'operation_refused',
        `The process ${externalAccountNumber} of ${code} ${refusalReason(action, skipReasonOf(action, steering.from, found))}`,
      );
    return this.addJobs(action, supplier, [found]);
  }

  /**
   * Retries the process of a failed job.
   *
   * @param actor the operator, as the audit records it
   * @returns false, with nothing changed, if the process has changed since: another version, cancelled, or imported
   * @throws PortageError `operation_refused` while the supplier is Paused or Complete
   */
  async retryFailed(
    { supplier: code, externalAccountNumber, version }: JobPayload<'account-imports', 'import-account'>,
    actor: string,
  ): Promise<boolean> {
    const supplier = await this.requireSupplier(code, 'retry');
    const steering: Steering = { action: 'retry', from: steerableStatuses('retry', false), actor };
    try {
      const retried = await this.database.transaction(async (executor) => {
        const found = await this.processes.steerOne(steering, supplier.id, externalAccountNumber, executor);
        if (found?.version !== version + 1) throw new VersionConflict();
        await this.audit.record(executor, {
          ...this.auditEntry('retry', code),
          actor,
          subject: externalAccountNumber,
        });
        return found;
      });
      await this.addJobs('retry', supplier, [retried]);
      return true;
    } catch (error) {
      if (error instanceof VersionConflict) return false;
      throw error;
    }
  }

  /**
   * Steers the selected processes in batches. Each batch is one statement, and its jobs are added after the commit, so
   * that memory holds one batch however many processes there are. Safe to stop at any time and to run again.
   *
   * Cancelled processes are selected only if the selector names the status CANCELLED. The operator is recorded with
   * each process in its batch, and with the totals in the last one.
   *
   * @param signal stops after the current batch
   * @param onProgress is called after each batch with the number of processes considered so far
   * @throws PortageError `operation_refused` if there is no such supplier, or while it is Paused or Complete and the action would enqueue jobs
   */
  async steer(
    action: SteeringAction,
    { supplier: code, ...filter }: ProcessSelector,
    signal?: AbortSignal,
    onProgress?: (count: number) => void,
  ): Promise<SteeringTally> {
    const supplier = await this.requireSupplier(code, action);
    const selection = { supplierId: supplier.id, ...filter };
    const steering = {
      action,
      from: steerableStatuses(action, filter.status === 'CANCELLED'),
      actor: this.operator.actor,
    };
    const entry = {
      ...this.auditEntry(action, code),
      details: { status: filter.status, error_code: filter.errorCode },
    };
    const read: ReadBatch = async (after, rows, executor) =>
      this.processes.steer(steering, selection, after, rows, executor);
    return this.steerBatches(steering, supplier, entry, read, { signal, onProgress });
  }

  /**
   * Releases the accounts of a submission whose dry run has succeeded, in the order of their creation, as {@link steer}
   * does.
   *
   * @param first only so many, as a canary; undefined: all
   * @throws PortageError `operation_refused` while its supplier is Paused or Complete
   */
  async releaseAfterDryRun(
    submission: SubmissionAfterDryRun,
    first: number | undefined,
    signal?: AbortSignal,
    onProgress?: (count: number) => void,
  ): Promise<SteeringTally> {
    const supplier = await this.requireSupplier(submission.supplier, 'release');
    const steering: Steering = {
      action: 'release',
      from: steerableStatuses('release', false),
      actor: this.operator.actor,
    };
    const entry = {
      ...this.auditEntry('release', supplier.code),
      subject: submission.reference,
      details: { submission: submission.id, first },
    };
    const selection = { supplierId: supplier.id, submissionId: submission.id };
    const read: ReadBatch = async (after, rows, executor) =>
      this.processes.steerStretch(steering, selection, after, rows, executor);
    return this.steerBatches(steering, supplier, entry, read, { signal, onProgress, limit: first });
  }

  /**
   * Steers the next of the selected processes, in the order of their creation, and not those in a status that the action
   * does not change. Safe to repeat: a process that was moved is in another status.
   *
   * @param after the process that the stretch before has considered last
   * @param limit considers at most so many
   * @throws PortageError `operation_refused` as {@link steer}
   */
  async steerStretch(
    action: SteeringAction,
    { supplier: code, status, ...selection }: ProcessStretch,
    { after, limit, first }: { after: string | undefined; limit: number; first: number | undefined },
  ): Promise<SteeredStretch> {
    const supplier = await this.requireSupplier(code, action);
    const steering = { action, from: stretchStatuses(action, status), actor: this.operator.actor };
    const { errorCode, submissionId, externalAccountNumbers } = selection;
    const entry = {
      ...this.auditEntry(action, code),
      details: {
        status,
        error_code: errorCode,
        submission: submissionId,
        first,
        accounts: externalAccountNumbers?.length,
      },
    };
    let last: string | undefined;
    let considered = 0;
    const read: ReadBatch = async (from, rows, executor) =>
      this.processes.steerStretch(steering, { ...selection, supplierId: supplier.id }, from, rows, executor);
    const tally = await this.steerBatches(steering, supplier, entry, read, {
      signal: undefined,
      onProgress: (count) => {
        considered = count;
      },
      onBatch: (process) => {
        last = process;
      },
      limit,
      after,
    });
    return { tally, considered, last };
  }

  /**
   * Counts the processes that {@link steerStretch} would move among the first `rows` that it would consider.
   *
   * @throws PortageError `operation_refused` as {@link steer}
   */
  async countStretch(
    action: SteeringAction,
    { supplier: code, status, ...selection }: ProcessStretch,
    rows: number,
    executor: Executor = this.database,
  ): Promise<StretchCount> {
    const supplier = await this.requireSupplier(code, action);
    const steering = { action, from: stretchStatuses(action, status), actor: this.operator.actor };
    return this.processes.countStretch(steering, { ...selection, supplierId: supplier.id }, rows, executor);
  }

  /** The number of accounts of a submission whose dry run has succeeded, and that were not released. */
  async countAfterDryRun(submissionId: string): Promise<number> {
    return this.processes.countAfterDryRun(submissionId);
  }

  private async steerBatches(
    steering: Steering,
    supplier: ImportSupplierEntity,
    entry: AuditEntry,
    read: ReadBatch,
    { signal, onProgress, limit = Infinity, after: start = '0', onBatch }: BatchOptions,
  ): Promise<SteeringTally> {
    const tally: SteeringTally = { steered: 0, skipped: {}, withoutJob: 0, isComplete: false };
    let count = 0;
    try {
      for (let after = start; !signal?.aborted;) {
        const rows = Math.min(BATCH_SIZE, limit - count);
        const isEnd = (considered: number) => considered < rows || count + considered >= limit;
        const batch = await this.database.transaction(async (executor) => {
          const considered = await read(after, rows, executor);
          if (isEnd(considered.length))
            await this.audit.record(
              executor,
              addTallyToEntry(entry, { ...addToTally(tally, steering, considered), isComplete: true }),
            );
          return considered;
        });
        Object.assign(tally, addToTally(tally, steering, batch), { isComplete: isEnd(batch.length) });
        const steered = batch.filter(isSteered);
        if (!(await this.addJobs(steering.action, supplier, steered))) tally.withoutJob += steered.length;
        onBatch?.(batch.length < rows ? undefined : batch.at(-1)?.processId);
        onProgress?.((count += batch.length));
        if (tally.isComplete) return tally;
        after = (batch.at(-1) as SteeredProcess).processId;
      }
    } finally {
      // After a stop or a failure the audit still has the totals of the committed batches.
      if (!tally.isComplete) await this.audit.record(this.database, addTallyToEntry(entry, tally));
    }
    return tally;
  }

  /** The number of selected processes, in any status. 0 if there is no such supplier. */
  async count({ supplier: code, ...filter }: ProcessSelector): Promise<number> {
    const supplier = await this.suppliers.findByCode(code);
    return supplier ? this.processes.count({ supplierId: supplier.id, ...filter }) : 0;
  }

  private auditEntry(action: SteeringAction, supplier: string): AuditEntry {
    return { actor: this.operator.actor, action: `process.${action}`, supplier };
  }

  private async addJobs(
    action: SteeringAction,
    supplier: ImportSupplierEntity,
    steered: readonly SteeredProcess[],
  ): Promise<boolean> {
    if (IMPORT_PROCESS_TRANSITIONS[action].to !== 'PENDING' || steered.length === 0) return true;
    return this.jobs.add(
      'account-imports',
      steered.map(({ processId, version, externalAccountNumber, delay }) =>
        importAccountJob(
          {
            processId,
            version: version as number,
            organisationId: supplier.organisationId,
            supplier: supplier.code,
            externalAccountNumber,
          },
          delay,
        ),
      ),
    );
  }

  private async requireSupplier(code: string, action: SteeringAction): Promise<ImportSupplierEntity> {
    const supplier = await this.suppliers.requireByCode(code);
    // A worker would end each of them in ERRORED at once, and a staged one would lose its dry run result.
    if (IMPORT_PROCESS_TRANSITIONS[action].to === 'PENDING' && supplier.status !== 'Ongoing')
      throw new PortageError(
        'operation_refused',
        `The supplier ${code} is ${supplier.status}, so nothing can be ${PAST_PARTICIPLE[action]}. ` +
          `Reopen it first with: supplier set-status ${code} Ongoing`,
      );
    return supplier;
  }
}

function stretchStatuses(
  action: SteeringAction,
  status: ImportProcessStatus | undefined,
): ImportProcessStatus[] {
  const statuses = steerableStatuses(action, status === 'CANCELLED');
  return status === undefined ? statuses : statuses.filter((allowed) => allowed === status);
}

function refusalReason(action: SteeringAction, reason: SkipReason): string {
  if (reason === 'is_dry_run')
    return 'was posted with is_dry_run: true, so it ends with its dry run. Post the account again without is_dry_run.';
  if (reason === 'payload_erased') return 'was erased. Post the account again to import it.';
  if (reason === 'changed_meanwhile') return 'was changed at the same time. Run the command again.';
  const allowed = steerableStatuses(action, true).join(' or ');
  return `is ${reason}. Only a process that is ${allowed} can be ${PAST_PARTICIPLE[action]}.`;
}
