import { Injectable } from '@nestjs/common';
import {
  ACTIVE_STATUSES,
  type ImportProcessStatus,
  NO_RATES,
  type Rates,
  RATES,
  recentThroughput,
} from '@portage/imports';
import { Database, type Executor, type Statement, translateErrors } from '@portage/platform';
import type { ImportSupplierEntity } from '@portage/tenants';
import { LessThan, type SelectQueryBuilder } from 'typeorm';
import type { AccountsState, SubmissionKind } from './submission';
import { SubmissionEntity } from './submission.entity';

/** A submission with the supplier that it belongs to. Datetimes are PostgreSQL's text. */
export interface StoredSubmission extends Omit<SubmissionEntity, 'supplier'> {
  /** Code of the supplier. */
  supplier: string;
  /** ISO 4217, of the supplier. */
  currency: string;
  organisationId: number;
  /** Whether it agreed with its control totals at its last end; null until it has ended and that was computed. */
  reconciled: boolean | null;
}

/** A submission in a list. */
export interface ListedSubmission extends StoredSubmission, AccountsState {}

/** A submission to open. */
export interface NewSubmission extends Pick<
  SubmissionEntity,
  'supplierId' | 'reference' | 'requestHash' | 'expected' | 'kind' | 'mode' | 'isDryRun' | 'actor'
> {
  scheduleWindowStart: Date | null;
  scheduleWindowEnd: Date | null;
}

/** The accounts of a submission, at one moment. The sum of `refused`, `takenOver` and all states was received. */
export interface SubmissionCounts {
  /** Refused lines whose account was not accepted since. */
  refused: number;
  /** Accounts that another submission has sent since. */
  takenOver: number;
  /** Lines, of all uploads, whose account the submission had with the same content. */
  repeated: number;
  /** Accounts with warnings, of those that were imported or rehearsed. */
  withWarnings: number;
  processes: Partial<Record<ImportProcessStatus, number>>;
  /** Accounts that were imported before with the same content. */
  unchanged: number;
  /** Accounts that were imported before with other content, by the state of their correction. */
  corrections: CorrectionCounts;
}

/** Corrections by their state. One that was rehearsed has changed nothing. */
export type CorrectionCounts = Record<
  'pending' | 'succeeded' | 'rehearsed' | 'errored' | 'cancelled',
  number
>;

/** The counts of a submission, and the rates of its accounts. */
export interface SubmissionProgress {
  counts: SubmissionCounts;
  rates: Rates;
}

/**
 * True if an account of a submission waits for its release. The first condition spares rehearsals, whose accounts all end
 * in that state.
 */
const AWAITS_RELEASE = `(NOT submission.is_dry_run AND EXISTS (
      SELECT FROM import_process WHERE submission_id = submission.id AND import_process.status = 'DRY_RUN_SUCCEEDED'
        AND NOT import_process.is_dry_run
    ))`;

/** True if a correction of a submission has not ended. */
const HAS_PENDING_CORRECTION = `EXISTS (
      SELECT FROM import_process_correction correction
      WHERE correction.submission_id = submission.id AND correction.status = 'PENDING'
    )`;

/** True if an addition of a submission has not ended. */
const HAS_PENDING_ADDITION = `EXISTS (
      SELECT FROM submission_addition addition
      WHERE addition.submission_id = submission.id AND addition.status IN ('PENDING', 'IN_PROGRESS')
    )`;

/** {@link AccountsState.isActive}, with the parameter `active`: the active statuses. */
const IS_ACTIVE = `(EXISTS (
      SELECT FROM import_process WHERE submission_id = submission.id AND import_process.status = ANY(:active)
    ) OR ${HAS_PENDING_CORRECTION} OR ${HAS_PENDING_ADDITION})`;

/** Of the last event of a submission. */
const RECONCILED = `(SELECT reconciled FROM submission_event
      WHERE submission_id = submission.id ORDER BY number DESC LIMIT 1)`;

/**
 * The SQL of the counts of submissions: rows with `submission_id`, `kind` and `count`, of which the sums by
 * kind are exact in the snapshot of the statement. Reads a few rows of each and the changes that are not folded yet, those
 * by their primary key, which skips deleted ones.
 *
 * @param ids the SQL of an array of their ids
 */
const countsOfSubmissions = (ids: string): string => `
      SELECT submission_id, kind, count FROM import_count
      WHERE supplier_id = ANY (ARRAY(SELECT supplier_id FROM submission WHERE submission.id = ANY (${ids})))
        AND submission_id = ANY (${ids})
      UNION ALL
      SELECT submission_id, kind, count FROM import_count_change
      WHERE id > 0 AND submission_id = ANY (${ids})`;

const countAccounts: Statement = {
  name: 'count-submissions',
  // One statement, so that all counts are of one moment.
  text: `
    SELECT submission_id, CASE kind WHEN 'STAGED' THEN 'PENDING' WHEN 'LINE_REFUSED' THEN 'refused' WHEN 'LINE_TAKEN_OVER' THEN 'cancelled'
      WHEN 'WARNED' THEN 'with_warnings' WHEN 'LINE_UNCHANGED' THEN 'unchanged' WHEN 'ADDITION_REFUSED' THEN 'refused'
      WHEN 'ADDITION_UNCHANGED' THEN 'unchanged' ELSE replace(kind, 'ADDITION_', '') END AS name,
      sum(count)::float8 AS count
    FROM (${countsOfSubmissions('$1::bigint[]')}) AS counted
    WHERE kind NOT IN ('LINE', 'LINE_CORRECTION', 'FOLLOWED_UP')
    GROUP BY 1, 2 HAVING sum(count) <> 0
    UNION ALL
    SELECT submission_id, 'repeated', sum(repeated)::float8 FROM submission_upload
    WHERE submission_id = ANY ($1::bigint[]) GROUP BY 1`,
};

const measureRate: Statement = {
  name: 'rate-of-submission',
  text: `
    SELECT ${RATES} FROM (${recentThroughput(
      'supplier_id = (SELECT supplier_id FROM submission WHERE submission.id = $1) AND submission_id = $1',
    )}) AS recent`,
};

const finishSubmission: Statement = {
  name: 'finish-submission',
  text: `
    WITH finished AS (
      UPDATE submission SET finished_at = greatest(completed_at, created_at, (
        SELECT max(modified_at) FROM import_process WHERE submission_id = submission.id
      ), (
        SELECT max(ended_at) FROM import_process_correction correction WHERE correction.submission_id = submission.id
      ), (
        SELECT max(ended_at) FROM submission_addition addition WHERE addition.submission_id = submission.id
      ))
      WHERE id = $1 AND status <> 'OPEN' AND finished_at IS NULL AND NOT EXISTS (
        SELECT FROM import_process WHERE submission_id = submission.id AND import_process.status = ANY($2)
      ) AND NOT ${HAS_PENDING_CORRECTION} AND NOT ${HAS_PENDING_ADDITION} AND (status = 'ABORTED' OR NOT ${AWAITS_RELEASE})
      RETURNING id, supplier_id, status, finished_at
    ), recorded AS (
      INSERT INTO submission_event (submission_id, number, supplier_id, event, occurred_at, counts)
      SELECT id, 1 + coalesce((SELECT max(number) FROM submission_event WHERE submission_id = id), 0), supplier_id,
        CASE status WHEN 'ABORTED' THEN 'ABORTED' ELSE 'FINISHED' END, finished_at, (
          SELECT jsonb_object_agg(name, count) FROM (
            SELECT import_process.status AS name, count(*) AS count FROM import_process
            WHERE submission_id = finished.id GROUP BY import_process.status
            UNION ALL
            SELECT outcome, count(*) FROM submission_line
            WHERE submission_id = finished.id AND outcome IN ('refused', 'cancelled', 'unchanged') GROUP BY outcome
            UNION ALL
            SELECT 'CORRECTION_' || CASE WHEN is_dry_run AND correction.status = 'SUCCEEDED' THEN 'REHEARSED'
              ELSE correction.status END, count(*)
            FROM import_process_correction correction WHERE correction.submission_id = finished.id GROUP BY 1
            UNION ALL
            SELECT CASE addition.status WHEN 'REFUSED' THEN 'refused' WHEN 'UNCHANGED' THEN 'unchanged'
              ELSE addition.status END, count(*)
            FROM submission_addition addition WHERE addition.submission_id = finished.id GROUP BY 1
            UNION ALL
            SELECT 'repeated', coalesce(sum(repeated), 0) FROM submission_upload WHERE submission_id = finished.id
          ) counted
        )
      FROM finished
    )
    SELECT finished_at FROM finished`,
};

/** Which submissions a list has. */
export interface SubmissionFilter {
  supplierId?: number | undefined;
  /** Of a supplier, without a kind. */
  reference?: string | undefined;
  kind?: SubmissionKind | undefined;
}

/** Reads and writes submissions: their rows, and the counts of their accounts. */
@Injectable()
export class SubmissionRepository {
  constructor(private readonly database: Database) {}

  /** Stores a new submission. Returns its id; undefined if the supplier has one with this reference. */
  async insert(submission: NewSubmission, executor: Executor = this.database): Promise<string | undefined> {
    const { scheduleWindowStart, scheduleWindowEnd } = submission;
    const inserted = await translateErrors(
      executor.manager
        .createQueryBuilder()
        .insert()
        .into(SubmissionEntity)
        .values({
          ...submission,
          scheduleWindowStart: scheduleWindowStart?.toISOString() ?? null,
          scheduleWindowEnd: scheduleWindowEnd?.toISOString() ?? null,
        })
        .orIgnore()
        .returning('id')
        .execute(),
    );
    return (inserted.raw as { id: string }[])[0]?.id;
  }

  /** A submission of the organisation; of any organisation for an operator, who passes undefined. */
  async find(
    organisationId: number | undefined,
    id: string,
    executor: Executor = this.database,
  ): Promise<StoredSubmission | undefined> {
    const found = selectSubmissions(executor).where({ id });
    if (organisationId !== undefined)
      found.andWhere('supplier.organisationId = :organisationId', { organisationId });
    return (await readSubmissions(found))[0];
  }

  /** The submission that a supplier has given this reference. */
  async findByReference(supplierId: number, reference: string): Promise<StoredSubmission | undefined> {
    return (await readSubmissions(selectSubmissions(this.database).where({ supplierId, reference })))[0];
  }

  /**
   * Up to `rows` submissions before the submission `before`, newest first: of all suppliers, of one, or the one that a
   * supplier has given the reference.
   */
  async list(
    { supplierId, reference, kind }: SubmissionFilter,
    before: string | undefined,
    rows: number,
    executor: Executor = this.database,
  ): Promise<ListedSubmission[]> {
    const listed = selectListed(executor)
      .where({
        ...(supplierId !== undefined && { supplierId }),
        ...(reference !== undefined && { reference }),
        ...(kind !== undefined && { kind }),
        ...(before !== undefined && { id: LessThan(before) }),
      })
      .orderBy('submission.id', 'DESC')
      .limit(rows);
    return readListed(listed);
  }

  /** The last submissions of all suppliers whose end is not known, the newest first. */
  async listInProgress(rows: number, executor: Executor = this.database): Promise<ListedSubmission[]> {
    // Each condition is that of an index.
    const [open, unfinished] = await Promise.all(
      [`submission.status = 'OPEN'`, UNFINISHED].map(async (condition) =>
        readListed(selectListed(executor).where(condition).orderBy('submission.id', 'DESC').limit(rows)),
      ),
    );
    const listed = [...(open ?? []), ...(unfinished ?? [])];
    return listed.toSorted((left, right) => Number(right.id) - Number(left.id)).slice(0, rows);
  }

  /** The counts of a submission at one moment. Nothing of it grows with the number of its accounts. */
  async count(id: string, executor: Executor = this.database): Promise<SubmissionCounts> {
    return toSubmissionCounts((await this.countByName([id], executor))[id] ?? {});
  }

  /** Each of the submissions with its counts. */
  async countEach<Row extends { id: string }>(
    submissions: readonly Row[],
    executor: Executor,
  ): Promise<(readonly [Row, SubmissionCounts])[]> {
    const ids = submissions.map(({ id }) => id);
    const byId = await this.countByName(ids, executor);
    return submissions.map((row) => [row, toSubmissionCounts(byId[row.id] ?? {})] as const);
  }

  private async countByName(
    ids: readonly string[],
    executor: Executor,
  ): Promise<Partial<Record<string, Record<string, number>>>> {
    const rows = await executor.run<{ submissionId: string; name: string; count: number }>(countAccounts, [
      ids,
    ]);
    const byId: Partial<Record<string, Record<string, number>>> = {};
    for (const { submissionId, name, count } of rows) (byId[submissionId] ??= {})[name] = count;
    return byId;
  }

  /** The counts of a submission, and how many of its accounts come to their end in a second. */
  async readProgress(id: string): Promise<SubmissionProgress> {
    const [counts, [rates = NO_RATES]] = await Promise.all([
      this.count(id),
      this.database.run<Rates>(measureRate, [id]),
    ]);
    return { counts, rates };
  }

  /** True if an account of the submission waits for its release. */
  async awaitsRelease(id: string): Promise<boolean> {
    return translateErrors(
      this.database.manager
        .createQueryBuilder(SubmissionEntity, 'submission')
        .where({ id })
        .andWhere(AWAITS_RELEASE)
        .getExists(),
    );
  }

  /** Moves an OPEN submission to RECEIVED; false if it is not OPEN. */
  async complete(id: string, executor: Executor = this.database): Promise<boolean> {
    const { affected } = await translateErrors(
      executor.manager.update(
        SubmissionEntity,
        { id, status: 'OPEN' },
        { status: 'RECEIVED', completedAt: () => 'now()' },
      ),
    );
    return affected === 1;
  }

  /**
   * Moves a submission that has not finished to ABORTED; false if it has finished, or was aborted before.
   *
   * @param executor a transaction
   */
  async abort(id: string, executor: Executor): Promise<boolean> {
    // A statement that waits for the row sees the processes of the time before. The next one sees those of batches that
    // an upload has committed meanwhile.
    await executor.manager.findOne(SubmissionEntity, {
      select: { id: true },
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
    // A submission that has finished stays so: nothing of it is left to cancel.
    const { affected } = await executor.manager
      .createQueryBuilder()
      .update(SubmissionEntity)
      .set({ status: 'ABORTED', finishedAt: null })
      .where({ id })
      .andWhere(`(status = 'OPEN' OR (status = 'RECEIVED' AND (${AWAITS_RELEASE} OR ${IS_ACTIVE})))`, ACTIVE)
      .execute();
    return affected === 1;
  }

  /**
   * Stores when the last account ended, if all have, and the event of the end with the counts of that moment.
   *
   * @returns that time; undefined if the submission is open, has unfinished accounts or such that wait for their release, or
   * its end was noticed before
   */
  async finish(id: string): Promise<string | undefined> {
    const rows = await this.database.run<{ finishedAt: string }>(finishSubmission, [id, ACTIVE_STATUSES]);
    return rows[0]?.finishedAt;
  }

  /** Up to `rows` submissions after `after`, in the order of creation, that are not open and whose end is not known. */
  async listUnfinished(after: string, rows: number): Promise<ListedSubmission[]> {
    const listed = selectListed(this.database)
      .where(UNFINISHED)
      .andWhere('submission.id > :after', { after })
      .orderBy('submission.id')
      .limit(rows);
    return readListed(listed);
  }
}

/**
 * The counts by their names in the tables: statuses of processes, outcomes of lines without one, `with_warnings`, and
 * `repeated`.
 */
export function toSubmissionCounts(byName: Readonly<Record<string, number>>): SubmissionCounts {
  const {
    refused = 0,
    repeated = 0,
    cancelled: takenOver = 0,
    with_warnings: withWarnings = 0,
    unchanged = 0,
    CORRECTION_PENDING: pending = 0,
    CORRECTION_SUCCEEDED: succeeded = 0,
    CORRECTION_REHEARSED: rehearsed = 0,
    CORRECTION_ERRORED: errored = 0,
    CORRECTION_CANCELLED: cancelled = 0,
    ...processes
  } = byName;
  const corrections = { pending, succeeded, rehearsed, errored, cancelled };
  return { refused, takenOver, repeated, withWarnings, processes, unchanged, corrections };
}

/** A submission that is not open and whose end is not known. */
const UNFINISHED = `submission.status <> 'OPEN' AND submission.finishedAt IS NULL`;

const ACTIVE = { active: ACTIVE_STATUSES };

function selectSubmissions({ manager }: Executor): SelectQueryBuilder<SubmissionEntity> {
  return manager
    .createQueryBuilder(SubmissionEntity, 'submission')
    .innerJoin('submission.supplier', 'supplier')
    .addSelect(['supplier.id', 'supplier.code', 'supplier.currency', 'supplier.organisationId'])
    .addSelect(RECONCILED, 'reconciled');
}

function selectListed(executor: Executor): SelectQueryBuilder<SubmissionEntity> {
  return selectSubmissions(executor)
    .addSelect(IS_ACTIVE, 'is_active')
    .addSelect(AWAITS_RELEASE, 'awaits_release')
    .setParameters(ACTIVE);
}

async function readSubmissions(found: SelectQueryBuilder<SubmissionEntity>): Promise<StoredSubmission[]> {
  return (await readRows(found)).map(([submission]) => submission);
}

async function readListed(found: SelectQueryBuilder<SubmissionEntity>): Promise<ListedSubmission[]> {
  return (await readRows(found)).map(
    ([submission, { is_active: isActive, awaits_release: awaitsRelease }]) => ({
      ...submission,
      isActive,
      awaitsRelease,
    }),
  );
}

/** The columns that are no column of the entity. */
interface ComputedColumns {
  reconciled: boolean | null;
  is_active: boolean;
  awaits_release: boolean;
}

async function readRows(
  found: SelectQueryBuilder<SubmissionEntity>,
): Promise<[StoredSubmission, ComputedColumns][]> {
  const { entities, raw } = await translateErrors(found.getRawAndEntities<ComputedColumns>());
  return entities.map(({ supplier, ...submission }, index) => {
    const computed = raw[index] as ComputedColumns;
    const { code, currency, organisationId } = supplier as ImportSupplierEntity;
    const { reconciled } = computed;
    return [{ ...submission, supplier: code, currency, organisationId, reconciled }, computed];
  });
}
