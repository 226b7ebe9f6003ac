import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@portage/platform';
import { IMPORT_PROCESS_TRANSITIONS, type ImportProcessStatus } from './status';
import { dryRunStatuses, STEERING_EVENTS, type SteeringAction } from './steering';

/** The processes of a supplier that match all given filters. The statuses are those of the action. */
export interface ProcessSelection {
  supplierId: number;
  errorCode?: string | undefined;
  submissionId?: string | undefined;
  /** Only the processes of these external account numbers. */
  externalAccountNumbers?: readonly string[] | undefined;
}

/** A count of processes that stops after a number of examined ones. */
export interface SelectionCount {
  /** Those that the action would move. */
  count: number;
  /** Those in a status that the action is allowed from. Erased ones and dry runs that end as such are not moved. */
  examined: number;
}

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
  /** Milliseconds until its schedule window opens. */
  delay: number;
}

const steerStatement = (name: string, condition: string): Statement => ({
  name,
  // Rows are locked in the order of their ids, so that two operators do not deadlock, and updated only from the
  // statuses that the action is allowed from. A retry or release removes the end of a schedule window that has opened,
  // so that a missed window does not cancel the process again; a window that is yet to open stays. An erased process
  // has nothing to import, so it is not moved to PENDING.
  text: `
    WITH selected AS MATERIALIZED (
      SELECT id FROM import_process WHERE ${condition}
    ), locked AS MATERIALIZED (
      -- The state that decides is the one after the lock: concurrent actions and workers have changed it by then.
      SELECT id, external_account_number, status, is_dry_run, payload_hash = '' AS is_erased FROM import_process
      WHERE id = ANY(ARRAY(SELECT id FROM selected)) ORDER BY id FOR NO KEY UPDATE
    ), steered AS (
      UPDATE import_process process SET
        status = $4, version = version + 1, attempt = 0, error_code = NULL, error_detail = NULL, batch_id = NULL,
        is_released = process.is_released OR $5 = 'RELEASED',
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
      coalesce(ceil(extract(epoch FROM steered.enqueued_at - now()) * 1000), 0)::float8 AS delay
    FROM locked LEFT JOIN steered USING (id) ORDER BY locked.id`,
});

const steerOne = steerStatement('steer-import-process', 'supplier_id = $1 AND external_account_number = $7');

const steerOneByIdentifier = steerStatement(
  'steer-import-process-by-identifier',
  'supplier_id = $1 AND external_identifier = $7',
);

const steerSubmission = steerStatement(
  'steer-processes-of-submission',
  // A version that was sent or retried by itself has no batch.
  `supplier_id = $1 AND submission_id = $7 AND status = ANY($2) AND ($9 OR batch_id IS NOT NULL)
      AND (NOT is_dry_run OR status = ANY($3))
      ORDER BY id LIMIT $8`,
);

const LAST_ID = '9223372036854775807';

/**
 * The selected processes in a status that the action is allowed from, by the id. Rows are compared, so that only the index
 * with the order of status and id can be read in order, whatever a generic plan assumes.
 */
const SELECTIONS = {
  ofSupplier: `
    SELECT process.id, process.status, process.is_dry_run, process.payload_hash FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT * FROM import_process WHERE supplier_id = $1
        AND (import_process.status, id) > (wanted.status, $7) AND (import_process.status, id) <= (wanted.status, ${LAST_ID})
      ORDER BY import_process.status, id LIMIT $8
    ) process`,
  ofSubmission: `
    SELECT process.id, process.status, process.is_dry_run, process.payload_hash FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT * FROM import_process WHERE submission_id = $10
        AND (import_process.status, id) > (wanted.status, $7) AND (import_process.status, id) <= (wanted.status, ${LAST_ID})
      ORDER BY import_process.status, id LIMIT $8
    ) process WHERE supplier_id = $1`,
  ofErrorCode: `
    SELECT id, status, is_dry_run, payload_hash FROM import_process
    WHERE error_code IS NOT NULL AND (supplier_id, error_code, id) > ($1, $9, $7)
      AND (supplier_id, error_code, id) <= ($1, $9, ${LAST_ID}) AND status = ANY($2)
      AND ($10::bigint IS NULL OR submission_id = $10)`,
  ofNumbers: `
    SELECT id, status, is_dry_run, payload_hash FROM import_process
    WHERE supplier_id = $1 AND external_account_number = ANY($11) AND id > $7 AND status = ANY($2)
      AND ($9::text IS NULL OR error_code = $9)`,
} as const;
type SelectionKind = keyof typeof SELECTIONS;

/** Makes the planner read the index on the error code in its own order. */
const SELECTION_ORDER: Record<SelectionKind, string> = {
  ofSupplier: 'id',
  ofSubmission: 'id',
  ofErrorCode: 'supplier_id, error_code, id',
  ofNumbers: 'id',
};

/** Types the parameters that a kind does not use. */
const SELECTION_PARAMETERS =
  '($9::text IS NULL OR true) AND ($10::bigint IS NULL OR true) AND ($11::text[] IS NULL OR true)';

const bySelection = <Result>(build: (kind: SelectionKind) => Result) =>
  Object.fromEntries(Object.keys(SELECTIONS).map((kind) => [kind, build(kind as SelectionKind)])) as Record<
    SelectionKind,
    Result
  >;

const steerMany = bySelection((kind) =>
  steerStatement(
    `steer-import-processes-${kind}`,
    `id = ANY(ARRAY(SELECT id FROM (${SELECTIONS[kind]}
      ORDER BY ${SELECTION_ORDER[kind]} LIMIT $8) selection)) AND ${SELECTION_PARAMETERS}`,
  ),
);

// A count needs no order, and a sort would be most of it. The index on the error code is read in order.
const countSelected = bySelection((kind): Statement => ({
  name: `count-import-processes-${kind}`,
  text: `
      SELECT count(*) FILTER (WHERE (NOT is_dry_run OR status = ANY($3)) AND ($4 <> 'PENDING' OR payload_hash <> ''))::float8 AS count,
        count(*)::float8 AS examined
      FROM (${SELECTIONS[kind]}
        ${kind === 'ofErrorCode' ? `ORDER BY ${SELECTION_ORDER[kind]}` : ''} LIMIT $8) selection
      WHERE ${SELECTION_PARAMETERS} AND ($5::text IS NULL OR true) AND ($6::text IS NULL OR true)`,
}));

/** Operators' actions on import processes, in bounded batches. */
@Injectable()
export class ImportProcessSteeringRepository {
  constructor(private readonly database: Database) {}

  /**
   * Moves the next `rows` of the selected processes after `after` that are in a status of `from`, in one statement, in the
   * order of creation. Others are not read, so that a few processes among millions are found at once. Each moved process
   * gets a new version, so that jobs of the old version do nothing.
   *
   * @returns all processes that were read; none when the selection is exhausted
   */
  async steer(
    steering: Steering,
    selection: ProcessSelection,
    after: string,
    rows: number,
    executor: Executor = this.database,
  ): Promise<SteeredProcess[]> {
    const statement = steerMany[kindOf(selection)];
    return executor.run<SteeredProcess>(statement, selectionParams(steering, selection, after, rows));
  }

  /** Moves one process if its status is one of `from`; undefined where there is no such process. */
  async steerOne(
    steering: Steering,
    supplierId: number,
    externalAccountNumber: string,
    executor: Executor = this.database,
  ): Promise<SteeredProcess | undefined> {
    const values = [supplierId, ...actionParams(steering), externalAccountNumber];
    return (await executor.run<SteeredProcess>(steerOne, values))[0];
  }

  /** As {@link steerOne}, for the process with this external identifier. */
  async steerByIdentifier(
    steering: Steering,
    supplierId: number,
    externalIdentifier: string,
    executor: Executor = this.database,
  ): Promise<SteeredProcess | undefined> {
    const values = [supplierId, ...actionParams(steering), externalIdentifier];
    return (await executor.run<SteeredProcess>(steerOneByIdentifier, values))[0];
  }

  /**
   * Moves the next `rows` processes of a submission whose status is one of `from`; none when nothing is left to move.
   *
   * @param includesSingle false leaves versions that were sent, retried or released by themselves
   */
  async steerSubmission(
    steering: Steering,
    { supplierId, id, includesSingle }: { supplierId: number; id: string; includesSingle: boolean },
    rows: number,
    executor: Executor = this.database,
  ): Promise<SteeredProcess[]> {
    const values = [supplierId, ...actionParams(steering), id, rows, includesSingle];
    return executor.run<SteeredProcess>(steerSubmission, values);
  }

  /** Counts the processes that an action would move among the first `rows` of the selection. */
  async count(
    steering: Steering,
    selection: ProcessSelection,
    rows: number,
    executor: Executor = this.database,
  ): Promise<SelectionCount> {
    const statement = countSelected[kindOf(selection)];
    const values = selectionParams(steering, selection, '0', rows);
    return (await executor.run<SelectionCount>(statement, values))[0] ?? { count: 0, examined: 0 };
  }
}

function kindOf({ errorCode, submissionId, externalAccountNumbers }: ProcessSelection): SelectionKind {
  if (externalAccountNumbers) return 'ofNumbers';
  if (errorCode !== undefined) return 'ofErrorCode';
  return submissionId === undefined ? 'ofSupplier' : 'ofSubmission';
}

function selectionParams(
  steering: Steering,
  { supplierId, errorCode, submissionId, externalAccountNumbers }: ProcessSelection,
  after: string,
  rows: number,
): unknown[] {
  return [
    supplierId,
    ...actionParams(steering),
    after,
    rows,
    errorCode ?? null,
    submissionId ?? null,
    externalAccountNumbers ?? null,
  ];
}

function actionParams({ action, from, actor }: Steering): unknown[] {
  return [
    from,
    dryRunStatuses(action),
    IMPORT_PROCESS_TRANSITIONS[action].to,
    STEERING_EVENTS[action],
    actor,
  ];
}
