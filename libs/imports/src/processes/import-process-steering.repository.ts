import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@portage/platform';
import { IMPORT_PROCESS_TRANSITIONS, type ImportProcessStatus } from './status';
import { includesDryRuns, STEERING_EVENTS, type SteeringAction } from './steering';

/** The processes of a supplier that match all given filters. */
export interface ProcessSelection {
  supplierId: number;
  status?: ImportProcessStatus | undefined;
  errorCode?: string | undefined;
}

/** As {@link ProcessSelection}, without the status, which the action is given. */
export interface StretchSelection {
  supplierId: number;
  errorCode?: string | undefined;
  submissionId?: string | undefined;
  /** Only the processes of these external account numbers. */
  externalAccountNumbers?: readonly string[] | undefined;
}

/** A count of processes that stops after a number of examined ones. */
export interface StretchCount {
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

/** A selected process as it was before the action, and its new version if the action moved it. */
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
      SELECT id, external_account_number, status, is_dry_run, payload_hash = '' AS is_erased FROM import_process
      WHERE ${condition}
    ), locked AS MATERIALIZED (
      SELECT process.id FROM import_process process JOIN selected USING (id)
      WHERE process.status = ANY($2) AND ($3 OR NOT process.is_dry_run)
        AND ($4 <> 'PENDING' OR process.payload_hash <> '')
      ORDER BY process.id FOR NO KEY UPDATE OF process
    ), steered AS (
      UPDATE import_process process SET
        status = $4, version = version + 1, attempt = 0, error_code = NULL, error_detail = NULL, batch_id = NULL,
        is_released = process.is_released OR $5 = 'RELEASED',
        staging = CASE WHEN $4 = 'PENDING' THEN NULL ELSE process.staging END, latest_event = 'CREATED',
        latest_event_at = CASE WHEN $4 = 'PENDING' THEN now() ELSE process.latest_event_at END,
        schedule_window_end = CASE WHEN $4 = 'PENDING' AND coalesce(process.schedule_window_start, '-infinity') <= now()
          THEN NULL ELSE process.schedule_window_end END,
        modified_at = now(), enqueued_at = greatest(now(), process.schedule_window_start)
      FROM locked WHERE process.id = locked.id
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
    SELECT selected.id AS process_id, selected.external_account_number, selected.status,
      selected.is_dry_run, selected.is_erased, steered.version,
      coalesce(ceil(extract(epoch FROM steered.enqueued_at - now()) * 1000), 0)::float8 AS delay
    FROM selected LEFT JOIN steered USING (id) ORDER BY selected.id`,
});

const steerOne = steerStatement('steer-import-process', 'supplier_id = $1 AND external_account_number = $7');

const steerOneByIdentifier = steerStatement(
  'steer-import-process-by-identifier',
  'supplier_id = $1 AND external_identifier = $7',
);

const steerMany = steerStatement(
  'steer-import-processes',
  // Keyset pagination: each batch continues after the last row of the one before.
  `supplier_id = $1 AND id > $7 AND ($9::text IS NULL OR status = $9) AND ($10::text IS NULL OR error_code = $10)
      ORDER BY id LIMIT $8`,
);

const steerSubmission = steerStatement(
  'steer-processes-of-submission',
  // A version that was sent or retried by itself has no batch.
  `supplier_id = $1 AND submission_id = $7 AND status = ANY($2) AND ($9 OR batch_id IS NOT NULL)
      ORDER BY id LIMIT $8`,
);

const LAST_ID = '9223372036854775807';

/**
 * The processes that a stretch considers: those in a status that the action is allowed from, by the id. Rows are compared,
 * so that only the index with the order of the whole row can be read in order, whatever a generic plan assumes.
 */
const STRETCHES = {
  ofSupplier: `
    SELECT process.id, process.is_dry_run, process.payload_hash FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT * FROM import_process WHERE (supplier_id, import_process.status, id) > ($1, wanted.status, $7)
        AND (supplier_id, import_process.status, id) <= ($1, wanted.status, ${LAST_ID})
      ORDER BY supplier_id, import_process.status, id LIMIT $8
    ) process`,
  ofSubmission: `
    SELECT process.id, process.is_dry_run, process.payload_hash FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT * FROM import_process WHERE submission_id IS NOT NULL
        AND (submission_id, import_process.status, id) > ($10, wanted.status, $7)
        AND (submission_id, import_process.status, id) <= ($10, wanted.status, ${LAST_ID})
      ORDER BY submission_id, import_process.status, id LIMIT $8
    ) process WHERE supplier_id = $1`,
  ofErrorCode: `
    SELECT id, is_dry_run, payload_hash FROM import_process
    WHERE error_code IS NOT NULL AND (supplier_id, error_code, id) > ($1, $9, $7)
      AND (supplier_id, error_code, id) <= ($1, $9, ${LAST_ID}) AND status = ANY($2)
      AND ($10::bigint IS NULL OR submission_id = $10)`,
  ofNumbers: `
    SELECT id, is_dry_run, payload_hash FROM import_process
    WHERE supplier_id = $1 AND external_account_number = ANY($11) AND id > $7 AND status = ANY($2)
      AND ($9::text IS NULL OR error_code = $9)`,
} as const;
type StretchKind = keyof typeof STRETCHES;

/** Makes the planner read the index on the error code in its own order. */
const STRETCH_ORDER: Record<StretchKind, string> = {
  ofSupplier: 'id',
  ofSubmission: 'id',
  ofErrorCode: 'supplier_id, error_code, id',
  ofNumbers: 'id',
};

/** Types the parameters that a kind does not use. */
const STRETCH_PARAMETERS =
  '($9::text IS NULL OR true) AND ($10::bigint IS NULL OR true) AND ($11::text[] IS NULL OR true)';

const byStretch = <Result>(build: (kind: StretchKind) => Result) =>
  Object.fromEntries(Object.keys(STRETCHES).map((kind) => [kind, build(kind as StretchKind)])) as Record<
    StretchKind,
    Result
  >;

const steerStretch = byStretch((kind) =>
  steerStatement(
    `steer-stretch-${kind}`,
    `id = ANY(ARRAY(SELECT id FROM (${STRETCHES[kind]}
      ORDER BY ${STRETCH_ORDER[kind]} LIMIT $8) stretch)) AND ${STRETCH_PARAMETERS}`,
  ),
);

// A count needs no order, and a sort would be most of it. The index on the error code is read in order.
const countStretch = byStretch((kind): Statement => ({
  name: `count-stretch-${kind}`,
  text: `
      SELECT count(*) FILTER (WHERE ($3 OR NOT is_dry_run) AND ($4 <> 'PENDING' OR payload_hash <> ''))::float8 AS count,
        count(*)::float8 AS examined
      FROM (${STRETCHES[kind]}
        ${kind === 'ofErrorCode' ? `ORDER BY ${STRETCH_ORDER[kind]}` : ''} LIMIT $8) stretch
      WHERE ${STRETCH_PARAMETERS} AND ($5::text IS NULL OR true) AND ($6::text IS NULL OR true)`,
}));

const countAfterDryRun: Statement = {
  name: 'count-import-processes-after-dry-run',
  text: `
    SELECT count(*)::float8 AS count FROM import_process
    WHERE submission_id = $1 AND status = 'DRY_RUN_SUCCEEDED'`,
};

const countSelected: Statement = {
  name: 'count-selected-import-processes',
  text: `
    SELECT count(*)::float8 AS count FROM import_process
    WHERE supplier_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR error_code = $3)`,
};

/** Operators' actions on import processes, in bounded batches. */
@Injectable()
export class ImportProcessSteeringRepository {
  constructor(private readonly database: Database) {}

  /**
   * Reads the next `rows` of the selected processes after `after`, and moves those whose status is one of `from`, in
   * one statement. Each gets a new version, so that jobs of the old version do nothing.
   *
   * @returns all processes that were read, in the order of creation; none when the selection is exhausted
   */
  async steer(
    steering: Steering,
    { supplierId, status, errorCode }: ProcessSelection,
    after: string,
    rows: number,
    executor: Executor = this.database,
  ): Promise<SteeredProcess[]> {
    return executor.run<SteeredProcess>(steerMany, [
      supplierId,
      ...actionParams(steering),
      after,
      rows,
      status ?? null,
      errorCode ?? null,
    ]);
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

  /**
   * Moves the next `rows` of the selected processes after `after` that are in a status of `from`, in the order of
   * creation. Others are not read, so that a few processes among millions are found at once.
   */
  async steerStretch(
    steering: Steering,
    selection: StretchSelection,
    after: string,
    rows: number,
    executor: Executor = this.database,
  ): Promise<SteeredProcess[]> {
    const statement = steerStretch[kindOf(selection)];
    return executor.run<SteeredProcess>(statement, stretchParams(steering, selection, after, rows));
  }

  /** Counts the processes that an action would move among the first `rows` of the selection. */
  async countStretch(
    steering: Steering,
    selection: StretchSelection,
    rows: number,
    executor: Executor = this.database,
  ): Promise<StretchCount> {
    const statement = countStretch[kindOf(selection)];
    const values = stretchParams(steering, selection, '0', rows);
    return (await executor.run<StretchCount>(statement, values))[0] ?? { count: 0, examined: 0 };
  }

  /** The count of the processes of a submission whose dry run has succeeded. */
  async countAfterDryRun(submissionId: string): Promise<number> {
    return (await this.database.run<{ count: number }>(countAfterDryRun, [submissionId]))[0]?.count ?? 0;
  }

  /** The count of the selected processes. */
  async count({ supplierId, status, errorCode }: ProcessSelection): Promise<number> {
    const values = [supplierId, status ?? null, errorCode ?? null];
    return (await this.database.run<{ count: number }>(countSelected, values))[0]?.count ?? 0;
  }
}

function kindOf({ errorCode, submissionId, externalAccountNumbers }: StretchSelection): StretchKind {
  if (externalAccountNumbers) return 'ofNumbers';
  if (errorCode !== undefined) return 'ofErrorCode';
  return submissionId === undefined ? 'ofSupplier' : 'ofSubmission';
}

function stretchParams(
  steering: Steering,
  { supplierId, errorCode, submissionId, externalAccountNumbers }: StretchSelection,
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
    includesDryRuns(action),
    IMPORT_PROCESS_TRANSITIONS[action].to,
    STEERING_EVENTS[action],
    actor,
  ];
}
