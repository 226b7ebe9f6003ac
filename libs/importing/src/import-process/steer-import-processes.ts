import { Inject, Injectable } from '@nestjs/common';
import {
  AuditRepository,
  Database,
  type ImportSupplierEntity,
  ImportProcessSteeringRepository,
  ImportSupplierRepository,
  type SteeredProcess,
  type Steering,
} from '@portage/database';
import {
  type AuditEntry,
  IMPORT_PROCESS_TRANSITIONS,
  type ImportProcessStatus,
  type PassedOver,
  passedOver,
  steeredFrom,
  type SteeringAction,
} from '@portage/domain';
import { importAccountJob, type JobPayload, JobProducer } from '@portage/queues';
import { OPERATOR } from '../audit/operator';
import { Refusal } from '../refusal';

/** Which of a supplier's processes an operator means, when it is many. */
export interface ProcessSelector {
  supplier: string;
  status?: ImportProcessStatus | undefined;
  errorCode?: string | undefined;
}

/** What has come of steering a cohort so far. */
export interface SteeringTally {
  steered: number;
  /** How many were passed over, by the reason. */
  skipped: Partial<Record<PassedOver, number>>;
  /** Steered, but the queue did not answer: the sweeper adds their jobs. */
  withoutJob: number;
  /** The cohort has been worked through; false after a stop in the middle. */
  isComplete: boolean;
}

/** How many processes are moved in one statement, and their jobs added after it. */
const BATCH = 500;

const DONE: Record<SteeringAction, string> = {
  release: 'released',
  cancel: 'cancelled',
  retry: 'retried',
};

/** Rolls back what would have moved another version than was meant. */
class MovedOn extends Error {}

/** Releases, cancels and retries processes, one or a whole cohort (DESIGN 2 and 6). */
@Injectable()
export class SteerImportProcesses {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly processes: ImportProcessSteeringRepository,
    private readonly jobs: JobProducer,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    @Inject(OPERATOR) private readonly operator: string,
  ) {}

  /**
   * Steers one process.
   *
   * @returns whether its job is known to be in the queue, or none was needed
   * @throws Refusal when there is no such process, or with the reason why it cannot be steered
   */
  async steerOne(action: SteeringAction, code: string, externalAccountNumber: string): Promise<boolean> {
    const supplier = await this.supplier(code, action);
    const steering = { action, from: steeredFrom(action, true), actor: this.operator };
    const found = await this.database.transaction(async (executor) => {
      const looked = await this.processes.steerOne(steering, supplier.id, externalAccountNumber, executor);
      if (typeof looked?.version === 'number')
        await this.audit.record(executor, { ...this.entry(action, code), subject: externalAccountNumber });
      return looked;
    });
    if (!found)
      throw new Refusal(`Supplier ${code} has no process for the account number ${externalAccountNumber}.`);
    if (found.version === null)
      throw new Refusal(
        `The process ${externalAccountNumber} of ${code} ${objection(action, passedOver(action, steering.from, found))}`,
      );
    return this.addJobs(action, supplier, [found]);
  }

  /**
   * Takes up again what a failed job has worked on.
   *
   * @param actor who asked for it, as it is put on record
   * @returns false, with nothing done, when the process has moved on since: another version, cancelled, or imported
   * @throws Refusal while the supplier is Paused or Complete
   */
  async retryFailed(
    { supplier: code, externalAccountNumber, version }: JobPayload<'account-imports'>,
    actor: string,
  ): Promise<boolean> {
    const supplier = await this.supplier(code, 'retry');
    const steering: Steering = { action: 'retry', from: steeredFrom('retry', false), actor };
    try {
      const retried = await this.database.transaction(async (executor) => {
        const found = await this.processes.steerOne(steering, supplier.id, externalAccountNumber, executor);
        if (found?.version !== version + 1) throw new MovedOn();
        await this.audit.record(executor, {
          ...this.entry('retry', code),
          actor,
          subject: externalAccountNumber,
        });
        return found;
      });
      await this.addJobs('retry', supplier, [retried]);
      return true;
    } catch (error) {
      if (error instanceof MovedOn) return false;
      throw error;
    }
  }

  /**
   * Works through a cohort in batches, each of one statement and, after its commit, one round of jobs: a million
   * processes take no more memory than a batch. Safe to repeat, and to stop in the middle and start again.
   *
   * A cohort that does not name CANCELLED leaves cancelled processes alone. Who gave the command is on record with
   * each process at once, and with the whole of what was done in the last batch's commit.
   *
   * @param signal stops after the batch in hand
   * @param progress hears after each batch how many processes have been looked at
   */
  async steer(
    action: SteeringAction,
    { supplier: code, ...filter }: ProcessSelector,
    signal?: AbortSignal,
    progress?: (count: number) => void,
  ): Promise<SteeringTally> {
    const supplier = await this.supplier(code, action);
    const selection = { supplierId: supplier.id, ...filter };
    const from = steeredFrom(action, filter.status === 'CANCELLED');
    const steering = { action, from, actor: this.operator };
    const entry = {
      ...this.entry(action, code),
      details: { status: filter.status, error_code: filter.errorCode },
    };
    const tally: SteeringTally = { steered: 0, skipped: {}, withoutJob: 0, isComplete: false };
    let count = 0;
    try {
      for (let after = '0'; !signal?.aborted;) {
        const looked = await this.database.transaction(async (executor) => {
          const batch = await this.processes.steer(steering, selection, after, BATCH, executor);
          if (batch.length < BATCH)
            await this.audit.record(
              executor,
              told(entry, { ...added(tally, steering, batch), isComplete: true }),
            );
          return batch;
        });
        Object.assign(tally, added(tally, steering, looked), { isComplete: looked.length < BATCH });
        const steered = looked.filter(isSteered);
        if (!(await this.addJobs(action, supplier, steered))) tally.withoutJob += steered.length;
        progress?.((count += looked.length));
        if (tally.isComplete) return tally;
        after = (looked.at(-1) as SteeredProcess).processId;
      }
    } finally {
      // Stopped, or broken off: what has been done is on record all the same.
      if (!tally.isComplete) await this.audit.record(this.database, told(entry, tally));
    }
    return tally;
  }

  /** How many processes a cohort has, whatever their state. */
  async count({ supplier: code, ...filter }: ProcessSelector): Promise<number> {
    const supplier = await this.suppliers.findByCode(code);
    return supplier ? this.processes.count({ supplierId: supplier.id, ...filter }) : 0;
  }

  private entry(action: SteeringAction, supplier: string): AuditEntry {
    return { actor: this.operator, action: `process.${action}`, supplier };
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
          { processId, version: version as number, supplier: supplier.code, externalAccountNumber },
          delay,
        ),
      ),
    );
  }

  private async supplier(code: string, action: SteeringAction): Promise<ImportSupplierEntity> {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier) throw new Refusal(`There is no supplier ${code}. List them with: supplier list`);
    // Each would end in ERRORED at once, and a staged one would lose its dry run by it.
    if (IMPORT_PROCESS_TRANSITIONS[action].to === 'PENDING' && supplier.status !== 'Ongoing')
      throw new Refusal(
        `The supplier ${code} is ${supplier.status}, so nothing can be ${DONE[action]}. ` +
          `Let it go on first with: supplier set-status ${code} Ongoing`,
      );
    return supplier;
  }
}

const isSteered = ({ version }: SteeredProcess) => version !== null;

/** The tally with one more batch. */
function added(
  { steered, skipped }: SteeringTally,
  { action, from }: Steering,
  looked: readonly SteeredProcess[],
): Pick<SteeringTally, 'steered' | 'skipped'> {
  const passed = { ...skipped };
  for (const found of looked.filter((one) => !isSteered(one))) {
    const reason = passedOver(action, from, found);
    passed[reason] = (passed[reason] ?? 0) + 1;
  }
  return { steered: steered + looked.filter(isSteered).length, skipped: passed };
}

function told(
  entry: AuditEntry,
  { steered, skipped, isComplete }: Pick<SteeringTally, 'steered' | 'skipped' | 'isComplete'>,
): AuditEntry {
  return { ...entry, details: { ...entry.details, steered, skipped, is_complete: isComplete } };
}

function objection(action: SteeringAction, reason: PassedOver): string {
  if (reason === 'is_dry_run')
    return 'was posted with is_dry_run: true and so ends at its dry run. Post the account again without is_dry_run.';
  if (reason === 'changed_meanwhile') return 'changed at this very moment. Give the command again.';
  const allowed = steeredFrom(action, true).join(' or ');
  return `is ${reason}. Only what is ${allowed} can be ${DONE[action]}.`;
}
