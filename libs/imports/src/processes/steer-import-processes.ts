import { Injectable } from '@nestjs/common';
import {
  ActingOperator,
  type AuditEntry,
  AuditRepository,
  Database,
  type Executor,
  importAccountJob,
  JobProducer,
  PortageError,
} from '@portage/platform';
import { type ImportSupplierEntity, ImportSupplierRepository } from '@portage/tenants';
import {
  ImportProcessSteeringRepository,
  isMovable,
  type ProcessSelection,
  type SteeredProcess,
  type Steering,
} from './import-process-steering.repository';
import { IMPORT_PROCESS_TRANSITIONS, type ImportProcessStatus } from './status';
import { type SkipReason, skipReasonOf, steerableStatuses, type SteeringAction } from './steering';
import { addTallyToEntry, addToTally, EMPTY_TALLY, isSteered, type SteeringTally } from './steering-tally';

/** Selects processes of one supplier, in the statuses that the action is allowed from. */
export interface ProcessSelector extends Omit<ProcessSelection, 'supplierId'> {
  supplier: string;
  /**
   * Only processes in this status. A retry selects cancelled ones, and a cancellation those that wait for their
   * release, only if it names them.
   */
  status?: ImportProcessStatus | undefined;
}

/** How far an action on selected processes goes. */
export interface SteeringOptions {
  /** Considers only so many of the selection, in the order of creation, as a canary. */
  first?: number | undefined;
  /** Considers at most so many in this call. */
  limit?: number | undefined;
  /** Begins after this process: `last` of the call before. */
  after?: string | undefined;
  /** Stops after the current batch. */
  signal?: AbortSignal | undefined;
  /** Is called after each batch with the number of processes considered so far. */
  onProgress?: ((count: number) => void) | undefined;
}

/** A count of processes that stops after a number of examined ones. */
export interface SelectionCount {
  /** Those that the action would move. */
  count: number;
  /** Those in a status that the action is allowed from. Erased ones and dry runs that end as such are not moved. */
  examined: number;
}

/** Processes that are moved in one statement, and whose jobs are added together after its commit. */
const BATCH_SIZE = 500;

const PAST_PARTICIPLE: Record<SteeringAction, string> = {
  release: 'released',
  cancel: 'cancelled',
  retry: 'retried',
};

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
   * @throws PortageError `operation_refused` if there is no such process, or with the reason why it cannot be steered
   */
  async steerOne(
    action: SteeringAction,
    code: string,
    externalAccountNumber: string,
  ): Promise<SteeringTally> {
    const supplier = await this.requireSupplier(code, action);
    const steering = { action, from: steerableStatuses(action, true), actor: this.operator.actor };
    const id = await this.processes.findId({ supplierId: supplier.id, externalAccountNumber });
    if (id === undefined) throw buildUnknown(code, externalAccountNumber);
    const found = await this.database.transaction(async (executor) => {
      const [process] = await this.processes.steer(steering, [id], executor);
      if (typeof process?.version === 'number')
        await this.audit.record(executor, {
          ...this.auditEntry(action, code),
          subject: externalAccountNumber,
        });
      return process;
    });
    if (!found) throw buildUnknown(code, externalAccountNumber);
    if (found.version === null)
      throw new PortageError(
        'operation_refused',
        `The process ${externalAccountNumber} of ${code} ${refusalReason(action, skipReasonOf(steering.from, found))}`,
      );
    const hasJob = await this.addJobs(action, supplier, [found]);
    return { ...EMPTY_TALLY, steered: 1, withoutJob: hasJob ? 0 : 1, considered: 1, isComplete: true };
  }

  /**
   * Steers the selected processes in the order of creation, in batches. Each batch is one statement, and its jobs are added
   * after the commit, so that memory holds one batch however many processes there are. Safe to stop at any time and to run
   * again: a process that was moved is in another status.
   *
   * The operator is recorded with each process in its batch, and with the totals in the last one.
   *
   * @throws PortageError `operation_refused` if there is no such supplier, or while it is Paused or Complete and the
   * action would enqueue jobs
   */
  async steer(
    action: SteeringAction,
    { supplier: code, status, ...filter }: ProcessSelector,
    { first = Infinity, limit = Infinity, after = '0', signal, onProgress }: SteeringOptions = {},
  ): Promise<SteeringTally> {
    const supplier = await this.requireSupplier(code, action);
    const steering = this.steeringOf(action, status);
    const selection = { ...filter, supplierId: supplier.id };
    const entry = {
      ...this.auditEntry(action, code),
      details: {
        status,
        error_code: filter.errorCode,
        submission: filter.submissionId,
        first: Number.isFinite(first) ? first : undefined,
        accounts: filter.externalAccountNumbers?.length,
      },
    };
    const maxProcesses = Math.min(limit, first);
    let tally = EMPTY_TALLY;
    try {
      while (!tally.isComplete && !signal?.aborted) {
        const last = tally.last ?? after;
        const rows = Math.min(BATCH_SIZE, maxProcesses - tally.considered);
        const selected = await this.processes.select(steering, selection, last, rows);
        const ids = selected.map(({ id }) => id);
        const [batch, next] = await this.database.transaction(async (executor) => {
          const considered = await this.processes.steer(steering, ids, executor);
          const sum = addToTally(tally, steering, considered, { rows, maxProcesses });
          if (sum.isComplete) await this.audit.record(executor, addTallyToEntry(entry, sum));
          return [considered, sum] as const;
        });
        tally = next;
        const steered = batch.filter(isSteered);
        if (!(await this.addJobs(action, supplier, steered)))
          tally = { ...tally, withoutJob: tally.withoutJob + steered.length };
        onProgress?.(tally.considered);
      }
    } finally {
      // After a stop or a failure the audit still has the totals of the committed batches.
      if (!tally.isComplete) await this.audit.record(this.database, addTallyToEntry(entry, tally));
    }
    return tally;
  }

  /**
   * Counts the processes that {@link steer} would move among the first `rows` that it would consider.
   *
   * @throws PortageError `operation_refused` as {@link steer}
   */
  async count(
    action: SteeringAction,
    { supplier: code, status, ...filter }: ProcessSelector,
    rows: number,
    reads?: Executor,
  ): Promise<SelectionCount> {
    const supplier = await this.requireSupplier(code, action);
    const selection = { ...filter, supplierId: supplier.id };
    const steering = this.steeringOf(action, status);
    const selected = await this.processes.select(steering, selection, '0', rows, reads);
    return {
      count: selected.filter((process) => isMovable(steering, process)).length,
      examined: selected.length,
    };
  }

  private steeringOf(action: SteeringAction, status: ImportProcessStatus | undefined): Steering {
    const allowed = steerableStatuses(action, status !== undefined);
    const from = status === undefined ? allowed : allowed.filter((one) => one === status);
    return { action, from, actor: this.operator.actor };
  }

  private auditEntry(action: SteeringAction, supplier: string): AuditEntry {
    return { actor: this.operator.actor, action: `process.${action}`, supplier };
  }

  private async addJobs(
    action: SteeringAction,
    supplier: ImportSupplierEntity,
    steered: readonly SteeredProcess[],
  ): Promise<boolean> {
    if (IMPORT_PROCESS_TRANSITIONS[action].to !== 'PENDING') return true;
    const jobs = steered
      .filter(({ isDue }) => isDue)
      .map(({ processId, version, externalAccountNumber }) =>
        importAccountJob({
          processId,
          version: version as number,
          organisationId: supplier.organisationId,
          supplier: supplier.code,
          externalAccountNumber,
        }),
      );
    return jobs.length === 0 || this.jobs.add('account-imports', jobs);
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

function buildUnknown(supplier: string, externalAccountNumber: string): PortageError {
  return new PortageError(
    'operation_refused',
    `Supplier ${supplier} has no process for the account number ${externalAccountNumber}.`,
  );
}

function refusalReason(action: SteeringAction, reason: SkipReason): string {
  if (reason === 'is_dry_run')
    return `was posted with is_dry_run: true, so it has ended with its dry run.${action === 'release' ? ' Post the account again without is_dry_run.' : ''}`;
  if (reason === 'payload_erased') return 'was erased. Post the account again to import it.';
  const allowed = steerableStatuses(action, true).join(' or ');
  return `is ${reason}. Only a process that is ${allowed} can be ${PAST_PARTICIPLE[action]}.`;
}
