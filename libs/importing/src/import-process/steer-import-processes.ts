import { Injectable } from '@nestjs/common';
import {
  type ImportSupplierEntity,
  ImportProcessSteeringRepository,
  ImportSupplierRepository,
  type SteeredProcess,
} from '@portage/database';
import {
  IMPORT_PROCESS_TRANSITIONS,
  type ImportProcessStatus,
  type PassedOver,
  passedOver,
  steeredFrom,
  type SteeringAction,
} from '@portage/domain';
import { importAccountJob, JobProducer } from '@portage/queues';
import { Refusal } from '../refusal';

/** Which of a supplier's processes an operator means, when it is many. */
export interface Cohort {
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

/** Releases, cancels and retries processes, one or a whole cohort (DESIGN 2 and 6). */
@Injectable()
export class SteerImportProcesses {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly processes: ImportProcessSteeringRepository,
    private readonly jobs: JobProducer,
  ) {}

  /**
   * Steers one process.
   *
   * @returns whether its job is known to be in the queue, or none was needed
   * @throws Refusal when there is no such process, or with the reason why it cannot be steered
   */
  async steerOne(action: SteeringAction, code: string, externalAccountNumber: string): Promise<boolean> {
    const supplier = await this.supplier(code, action);
    const from = steeredFrom(action, true);
    const found = await this.processes.steerOne(action, from, supplier.id, externalAccountNumber);
    if (!found)
      throw new Refusal(`Supplier ${code} has no process for the account number ${externalAccountNumber}.`);
    if (found.version === null)
      throw new Refusal(
        `The process ${externalAccountNumber} of ${code} ${objection(action, passedOver(action, from, found))}`,
      );
    return this.addJobs(action, supplier, [found]);
  }

  /**
   * Works through a cohort in batches, each of one statement and, after its commit, one round of jobs: a million
   * processes take no more memory than a batch. Safe to repeat, and to stop in the middle and start again.
   *
   * A cohort that does not name CANCELLED leaves cancelled processes alone.
   *
   * @param signal stops after the batch in hand
   * @param progress hears after each batch how many processes have been looked at
   */
  async steer(
    action: SteeringAction,
    { supplier: code, ...filter }: Cohort,
    signal?: AbortSignal,
    progress?: (count: number) => void,
  ): Promise<SteeringTally> {
    const supplier = await this.supplier(code, action);
    const selection = { supplierId: supplier.id, ...filter };
    const from = steeredFrom(action, filter.status === 'CANCELLED');
    const tally: SteeringTally = { steered: 0, skipped: {}, withoutJob: 0, isComplete: false };
    let count = 0;
    for (let after = '0'; !signal?.aborted;) {
      const looked = await this.processes.steer(action, from, selection, after, BATCH);
      const steered = looked.filter(({ version }) => version !== null);
      if (!(await this.addJobs(action, supplier, steered))) tally.withoutJob += steered.length;
      tally.steered += steered.length;
      for (const found of looked)
        if (found.version === null) {
          const reason = passedOver(action, from, found);
          tally.skipped[reason] = (tally.skipped[reason] ?? 0) + 1;
        }
      progress?.((count += looked.length));
      if (looked.length < BATCH) return { ...tally, isComplete: true };
      after = (looked.at(-1) as SteeredProcess).processId;
    }
    return tally;
  }

  /** How many processes a cohort has, whatever their state. */
  async count({ supplier: code, ...filter }: Cohort): Promise<number> {
    const supplier = await this.suppliers.findByCode(code);
    return supplier ? this.processes.count({ supplierId: supplier.id, ...filter }) : 0;
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

function objection(action: SteeringAction, reason: PassedOver): string {
  if (reason === 'is_dry_run')
    return 'was posted with is_dry_run: true and so ends at its dry run. Post the account again without is_dry_run.';
  if (reason === 'changed_meanwhile') return 'changed at this very moment. Give the command again.';
  const allowed = steeredFrom(action, true).join(' or ');
  return `is ${reason}. Only what is ${allowed} can be ${DONE[action]}.`;
}
