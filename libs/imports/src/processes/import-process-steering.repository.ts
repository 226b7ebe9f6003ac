import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type Executor, type Statement, translateErrors } from '@portage/platform';
import type { Repository } from 'typeorm';
import { ImportProcessEntity } from './import-process.entity';
import { IMPORT_PROCESS_TRANSITIONS, type ImportProcessStatus } from './status';
import { dryRunStatuses, STEERING_EVENTS, type SteeringAction } from './steering';

/** The processes of a supplier that match all given filters. The statuses are those of the action. */
export interface ProcessSelection {
  supplierId: number;
  errorCode?: string | undefined;
  submissionId?: string | undefined;
  /** Only the processes of these external account numbers. */
  externalAccountNumbers?: readonly string[] | undefined;
  /** Only versions that a batch imports: not those that were sent, retried or released by themselves. */
  isOfBatch?: true | undefined;
}

/** A process in a status that an action is allowed from. */
export type SelectedProcess = Pick<ImportProcessEntity, 'id' | 'status' | 'isDryRun' | 'payloadHash'>;

/** An operator's action on processes, and the operator. */
export interface Steering {
  action: SteeringAction;
  /** The statuses that the action is allowed from. */
  from: readonly ImportProcessStatus[];
  actor: string;
}

/** A selected process as it was once the action had locked it, and its new version if the action moved it. */
export interface SteeredProcess {
  processId: string;
  externalAccountNumber: string;
  status: ImportProcessStatus;
  isDryRun: boolean;
  /** True if its payload was erased, so that nothing is left to import. */
  isErased: boolean;
  /** The new version; null if the process was not moved. */
  version: number | null;
  /** False if its schedule window is yet to open: the sweeper adds its job then. */
  isDue: boolean;
}

const steer: Statement = {
  name: 'steer-import-processes',
  // Rows are locked in the order of their ids, so that two operators do not deadlock, and updated only from the
  // statuses that the action is allowed from. A retry or release removes the end of a schedule window that has opened,
  // so that a missed window does not cancel the process again; a window that is yet to open stays. An erased process
  // has nothing to import, so it is not moved to PENDING.
  text: `
    WITH locked AS MATERIALIZED (
      -- The state that decides is the one after the lock: concurrent actions and workers have changed it by then.
      SELECT id, external_account_number, status, is_dry_run, payload_hash = '' AS is_erased FROM import_process
      WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
    ), steered AS (
      UPDATE import_process process SET
        status = $4, version = version + 1, attempt = 0, error_code = NULL, error_detail = NULL, error_fields = NULL,
        batch_id = NULL, is_released = process.is_released OR $5 = 'RELEASED',
        staging = CASE WHEN $4 = 'PENDING' THEN NULL ELSE process.staging END, latest_event = 'CREATED',
        latest_event_at = CASE WHEN $4 = 'PENDING' THEN now() ELSE process.latest_event_at END,
        schedule_window_end = CASE WHEN $4 = 'PENDING' AND coalesce(process.schedule_window_start, '-infinity') <= now()
          THEN NULL ELSE process.schedule_window_end END,
        modified_at = now(), enqueued_at = greatest(now(), process.schedule_window_start)
      FROM locked
      WHERE process.id = locked.id AND locked.status = ANY($2) AND (NOT locked.is_dry_run OR locked.status = ANY($3))
        AND ($4 <> 'PENDING' OR NOT locked.is_erased)
      RETURNING process.id, process.version, process.attempt, process.enqueued_at, process.submission_id,
        process.supplier_id
    ), resumed AS (
      UPDATE submission SET finished_at = NULL
      WHERE $4 = 'PENDING' AND finished_at IS NOT NULL AND id IN (SELECT submission_id FROM steered)
    ), recorded AS (
      -- Suppliers see only CANCELLED in the feed.
      INSERT INTO import_process_event (process_id, version, attempt, event, actor, supplier_id, submission_id,
        transaction_id)
      SELECT id, version, attempt, $5, $6, supplier_id, submission_id,
        CASE WHEN $5 = 'CANCELLED' THEN event_transaction_id() END
      FROM steered
    )
    SELECT locked.id AS process_id, locked.external_account_number, locked.status,
      locked.is_dry_run, locked.is_erased, steered.version,
      coalesce(steered.enqueued_at <= now(), false) AS is_due
    FROM locked LEFT JOIN steered USING (id) ORDER BY locked.id`,
};

/** True if the action would move a process in this state. */
export function isMovable(
  { action }: Steering,
  { status, isDryRun, payloadHash }: Omit<SelectedProcess, 'id'>,
): boolean {
  const isErased = payloadHash.length === 0;
  return (
    (!isDryRun || dryRunStatuses(action).includes(status)) &&
    (IMPORT_PROCESS_TRANSITIONS[action].to !== 'PENDING' || !isErased)
  );
}

/** Operators' actions on import processes, in bounded batches. */
@Injectable()
export class ImportProcessSteeringRepository {
  constructor(
    @InjectRepository(ImportProcessEntity) private readonly processes: Repository<ImportProcessEntity>,
    private readonly database: Database,
  ) {}

  /** The id of the process with a name of its supplier for it; undefined where there is none. */
  async findId(
    name: { supplierId: number } & ({ externalAccountNumber: string } | { externalIdentifier: string }),
  ): Promise<string | undefined> {
    return (await translateErrors(this.processes.findOne({ select: { id: true }, where: name })))?.id;
  }

  /**
   * The next `rows` of the selected processes after the id `after` that are in a status of the action, in the order of
   * creation. Each status is a range of an index, so that a few processes among millions are found at once.
   */
  async select(
    { from }: Pick<Steering, 'from'>,
    { supplierId, errorCode, submissionId, externalAccountNumbers, isOfBatch }: ProcessSelection,
    after: string,
    rows: number,
    { manager }: Pick<Executor, 'manager'> = this.processes,
  ): Promise<SelectedProcess[]> {
    let selected: SelectedProcess[] = [];
    for (const status of from) {
      const query = manager
        .createQueryBuilder(ImportProcessEntity, 'process')
        .select(['process.id', 'process.status', 'process.isDryRun', 'process.payloadHash'])
        .where('process.supplierId = :supplierId', { supplierId })
        .andWhere('process.status = :status', { status })
        .andWhere('process.id > :after', { after });
      if (submissionId !== undefined)
        query.andWhere('process.submissionId = :submissionId', { submissionId });
      if (errorCode !== undefined) query.andWhere('process.errorCode = :errorCode', { errorCode });
      if (externalAccountNumbers)
        query.andWhere('process.externalAccountNumber = ANY(:externalAccountNumbers)', {
          externalAccountNumbers,
        });
      if (isOfBatch) query.andWhere('process.batchId IS NOT NULL');
      selected = selected.concat(await translateErrors(query.orderBy('process.id').limit(rows).getMany()));
    }
    return selected.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id))).slice(0, rows);
  }

  /**
   * Moves the processes of these ids whose status, once they are locked, is one of `from`, in one statement. Each moved
   * process gets a new version, so that jobs of the old version do nothing.
   *
   * @returns all of them, in the order of creation
   */
  async steer(
    { action, from, actor }: Steering,
    ids: readonly string[],
    executor: Executor = this.database,
  ): Promise<SteeredProcess[]> {
    const { to } = IMPORT_PROCESS_TRANSITIONS[action];
    return executor.run<SteeredProcess>(steer, [
      ids,
      from,
      dryRunStatuses(action),
      to,
      STEERING_EVENTS[action],
      actor,
    ]);
  }
}
