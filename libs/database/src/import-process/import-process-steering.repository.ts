import { Injectable } from '@nestjs/common';
import {
  IMPORT_PROCESS_TRANSITIONS,
  type ImportProcessStatus,
  maySteerDryRuns,
  STEERING_EVENTS,
  type SteeringAction,
} from '@portage/domain';
import { Database, type Executor, type Statement } from '../connection/database';

/** Which of a supplier's processes an operator means: all that the filters leave. */
export interface ProcessSelection {
  supplierId: number;
  status?: ImportProcessStatus | undefined;
  errorCode?: string | undefined;
}

/** What is done to processes, and who does it. */
export interface Steering {
  action: SteeringAction;
  /** The states that it moves processes from. */
  from: readonly ImportProcessStatus[];
  actor: string;
}

/** A process that an operator's choice came upon, as it was found, and what it became if the action moved it. */
export interface SteeredProcess {
  processId: string;
  externalAccountNumber: string;
  status: ImportProcessStatus;
  isDryRun: boolean;
  /** The version it has now; null where it was not moved. */
  version: number | null;
  /** Milliseconds until its schedule window opens. */
  delay: number;
}

const steering = (name: string, chosen: string): Statement => ({
  name,
  // Locked in the order of their ids, so that two operators at once wait for each other instead of deadlocking, and
  // conditional on the states that the action is allowed from, whatever happens meanwhile.
  // Who retries or releases means it: a window that was missed no longer cancels. One that is yet to open is kept.
  text: `
    WITH looked AS MATERIALIZED (
      SELECT id, external_account_number, status, is_dry_run FROM import_process WHERE ${chosen}
    ), locked AS MATERIALIZED (
      SELECT process.id FROM import_process process JOIN looked USING (id)
      WHERE process.status = ANY($2) AND ($3 OR NOT process.is_dry_run)
      ORDER BY process.id FOR NO KEY UPDATE OF process
    ), steered AS (
      UPDATE import_process process SET
        status = $4, version = version + 1, attempt = 0, error_code = NULL, error_detail = NULL,
        is_released = process.is_released OR $5 = 'RELEASED', latest_event = 'CREATED',
        latest_event_at = CASE WHEN $4 = 'PENDING' THEN now() ELSE process.latest_event_at END,
        schedule_window_end = CASE WHEN $4 = 'PENDING' AND coalesce(process.schedule_window_start, '-infinity') <= now()
          THEN NULL ELSE process.schedule_window_end END,
        modified_at = now(), enqueued_at = greatest(now(), process.schedule_window_start)
      FROM locked WHERE process.id = locked.id
      RETURNING process.id, process.version, process.attempt, process.enqueued_at
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, $5, $6 FROM steered
    )
    SELECT looked.id AS "processId", looked.external_account_number AS "externalAccountNumber", looked.status,
      looked.is_dry_run AS "isDryRun", steered.version,
      coalesce(ceil(extract(epoch FROM steered.enqueued_at - now()) * 1000), 0)::float8 AS delay
    FROM looked LEFT JOIN steered USING (id) ORDER BY looked.id`,
});

const steerOne = steering('steer-import-process', 'supplier_id = $1 AND external_account_number = $7');

const steerMany = steering(
  'steer-import-processes',
  // By key, so that each batch goes on where the last one ended.
  `supplier_id = $1 AND id > $7 AND ($9::text IS NULL OR status = $9) AND ($10::text IS NULL OR error_code = $10)
      ORDER BY id LIMIT $8`,
);

const countSelected: Statement = {
  name: 'count-selected-import-processes',
  text: `
    SELECT count(*)::float8 AS count FROM import_process
    WHERE supplier_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR error_code = $3)`,
};

/** What an operator does to import processes, one or a million of them. */
@Injectable()
export class ImportProcessSteeringRepository {
  constructor(private readonly database: Database) {}

  /**
   * Looks at the next `rows` of the selected processes after `after`, and moves those that are in one of the states
   * `from`, each with a new version so that jobs of the old one do nothing. One statement.
   *
   * @returns all that were looked at, in the order of creation; none when the selection is exhausted
   */
  async steer(
    steering: Steering,
    { supplierId, status, errorCode }: ProcessSelection,
    after: string,
    rows: number,
    executor: Executor = this.database,
  ): Promise<SteeredProcess[]> {
    return executor.run<SteeredProcess>(steerMany, [
      ...[supplierId, ...move(steering)],
      ...[after, rows, status ?? null, errorCode ?? null],
    ]);
  }

  /** Looks at one process and moves it if it is in one of the states `from`; undefined where there is none. */
  async steerOne(
    steering: Steering,
    supplierId: number,
    externalAccountNumber: string,
    executor: Executor = this.database,
  ): Promise<SteeredProcess | undefined> {
    const values = [supplierId, ...move(steering), externalAccountNumber];
    return (await executor.run<SteeredProcess>(steerOne, values))[0];
  }

  /** How many processes are selected. */
  async count({ supplierId, status, errorCode }: ProcessSelection): Promise<number> {
    const values = [supplierId, status ?? null, errorCode ?? null];
    return (await this.database.run<{ count: number }>(countSelected, values))[0]?.count ?? 0;
  }
}

function move({ action, from, actor }: Steering): unknown[] {
  return [
    from,
    maySteerDryRuns(action),
    IMPORT_PROCESS_TRANSITIONS[action].to,
    STEERING_EVENTS[action],
    actor,
  ];
}
