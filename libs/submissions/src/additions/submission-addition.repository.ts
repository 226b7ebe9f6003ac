import { Injectable } from '@nestjs/common';
import type { AdditionInput, AdditionKind } from '@portage/accounts';
import type { SubmissionLineError, UploadKey } from '@portage/imports';
import {
  Database,
  type Executor,
  type Statement,
  takeAdvisoryLock,
  translateErrors,
  tryAdvisoryLock,
  updateOldest,
} from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { ADDITION_MEASURES, type AdditionMeasure, type AdditionMeasureValues } from './addition-measures';
import { INSTRUCTIONS_SHARD } from './read-addition-line';
import { SubmissionUploadEntity } from '../submission-upload.entity';
import {
  type AdditionResult,
  type AdditionStatus,
  SubmissionAdditionEntity,
} from './submission-addition.entity';

/** A line to store: PENDING with its input, or REFUSED with its errors. */
export interface NewAddition {
  line: number;
  shard: number;
  kind: AdditionKind | null;
  externalAccountNumber: string | null;
  digest: Buffer;
  /** JSON text; null for a refused line. */
  input: string | null;
  measures: AdditionMeasureValues;
  errors: SubmissionLineError[] | null;
}

/** What a batch of lines was: the shards that have something to perform, each with the last addition of the batch. */
export interface StoredAdditions {
  /** False if the submission was not open any more, and nothing was stored. */
  isOpen: boolean;
  shards: { shard: number; lastId: string }[];
}

/** An addition to perform. */
export interface PendingAddition {
  id: string;
  kind: AdditionKind;
  externalAccountNumber: string;
  actor: string;
  attempt: number;
  input: AdditionInput['input'];
}

/** The end of an addition. */
export interface EndedAddition {
  id: string;
  status: Exclude<AdditionStatus, 'PENDING' | 'IN_PROGRESS' | 'REFUSED'>;
  result: AdditionResult | null;
  errors: SubmissionLineError[] | null;
}

/** A shard whose additions are due, and that may have no job. */
export interface StaleShard {
  submissionId: string;
  shard: number;
  lastId: string;
  organisationId: number;
  supplier: string;
}

/** The sums of the measures of the lines with a status. Amounts are in hundredths. */
export type AdditionSums = { status: AdditionStatus } & Record<AdditionMeasure, string>;

const store: Statement = {
  name: 'store-additions',
  // The lock keeps the submission open until the batch is committed. A line that was refused, or has ended in an error, can be
  // sent again.
  text: `
    WITH target AS MATERIALIZED (
      SELECT id, supplier_id FROM submission WHERE id = $1 AND status = 'OPEN' FOR SHARE
    ), sent AS (
      SELECT line, shard, kind, external_account_number, digest, measures, errors,
        CASE WHEN errors IS NULL THEN input END AS input
      FROM ROWS FROM (unnest($3::integer[], $4::smallint[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::text[]),
        json_array_elements($10::json)) AS sent (line, shard, kind, external_account_number, digest, measures, errors, input)
    ), stored AS (
      INSERT INTO submission_addition AS old (submission_id, upload_number, line, supplier_id, shard, kind,
        external_account_number, digest, status, input, size, measures, errors, ended_at)
      SELECT target.id, $2, line, supplier_id, shard, kind, external_account_number, digest,
        CASE WHEN input IS NULL THEN 'REFUSED' ELSE 'PENDING' END, input, coalesce(length(input::text), 0), measures::jsonb,
        errors::json, CASE WHEN input IS NULL THEN now() END
      FROM target CROSS JOIN sent
      ORDER BY line
      ON CONFLICT (submission_id, digest) DO UPDATE SET upload_number = excluded.upload_number, line = excluded.line,
        status = excluded.status, input = excluded.input, size = excluded.size, measures = excluded.measures,
        errors = excluded.errors, result = NULL, attempt = 0, due_at = now(), ended_at = excluded.ended_at
      WHERE old.status IN ('REFUSED', 'ERRORED', 'DRY_RUN_ERRORED')
      RETURNING id, shard, status
    ), counted AS (
      UPDATE submission_upload SET lines = lines + cardinality($3::integer[]),
        accepted = accepted + (SELECT count(*) FROM stored WHERE status = 'PENDING'),
        refused = refused + (SELECT count(*) FROM stored WHERE status = 'REFUSED'),
        repeated = repeated + cardinality($3::integer[]) - (SELECT count(*) FROM stored), renewed_at = now()
      WHERE submission_id = (SELECT id FROM target) AND number = $2
    )
    SELECT NULL::integer AS shard, id AS last_id FROM target
    UNION ALL
    SELECT shard, max(id) FROM stored WHERE status = 'PENDING' GROUP BY shard`,
};

/** The additions of a shard that can be performed now. A paused supplier holds them. */
const due = (
  submissionId: string,
  shard: string,
) => `addition.submission_id = ${submissionId} AND addition.shard = ${shard} AND addition.status = 'PENDING' AND addition.due_at <= now()
      AND EXISTS (SELECT FROM import_supplier supplier WHERE supplier.id = addition.supplier_id AND supplier.status <> 'Paused')`;

const take: Statement = {
  name: 'take-additions',
  // As many as fit into the given number of characters, and one at least.
  text: `
    SELECT addition.id, addition.kind, addition.external_account_number, upload.actor, addition.attempt, addition.input
    FROM submission_addition addition
    JOIN submission_upload upload ON upload.submission_id = addition.submission_id AND upload.number = addition.upload_number
    WHERE addition.status = 'PENDING' AND addition.id = ANY (ARRAY(
      SELECT id FROM (
        SELECT id, sum(size) OVER (ORDER BY id) - size AS before FROM (
          SELECT id, size FROM submission_addition addition WHERE ${due('$1', '$2')} ORDER BY id LIMIT $3
        ) first
      ) chosen WHERE before < $4
    ))
    ORDER BY addition.id FOR UPDATE OF addition`,
};

const end: Statement = {
  name: 'end-additions',
  // They are locked, so their state is known. A condition on it would have an index searched for each unfinished submission.
  text: `
    UPDATE submission_addition addition SET status = ended.status, result = ended.result::json,
      errors = ended.errors::json, input = NULL, request_id = NULL, ended_at = now()
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS ended (id, status, result, errors)
    WHERE addition.id = ended.id AND addition.id = ANY ($1)`,
};

/** Counts lines of a batch that repeat others of it. */
async function countRepeated(
  { manager }: Executor,
  submissionId: string,
  number: number,
  count: number,
): Promise<void> {
  await manager
    .createQueryBuilder()
    .update(SubmissionUploadEntity)
    .set({
      lines: () => 'lines + :count',
      repeated: () => 'repeated + :count',
      renewedAt: () => 'now()',
    })
    .where({ submissionId, number })
    .setParameters({ count })
    .execute();
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The lines of submissions of additions. */
@Injectable()
export class SubmissionAdditionRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a batch of lines of an upload with different digests, and counts them. A line that the submission has already is
   * counted as repeated, unless that one was refused or has ended in an error.
   *
   * @param repeated further lines of the batch that repeat others of it
   */
  async store(
    { submissionId, number }: UploadKey,
    lines: readonly NewAddition[],
    repeated: number,
  ): Promise<StoredAdditions> {
    return this.database.transaction(async (executor) => {
      const rows = await executor.run<{ shard: number | null; lastId: string }>(store, [
        submissionId,
        number,
        lines.map(({ line }) => line),
        lines.map(({ shard }) => shard),
        lines.map(({ kind }) => kind),
        lines.map(({ externalAccountNumber }) => externalAccountNumber),
        lines.map(({ digest }) => digest),
        lines.map(({ measures }) => JSON.stringify(measures)),
        lines.map(({ errors }) => toJson(errors)),
        // One JSON array: in a text[] each of their quotes would have to be escaped.
        `[${lines.map(({ input }) => input ?? 'null').join(',')}]`,
      ]);
      if (repeated > 0) await countRepeated(executor, submissionId, number, repeated);
      return {
        isOpen: rows.length > 0,
        shards: rows.flatMap(({ shard, lastId }) => (shard === null ? [] : [{ shard, lastId }])),
      };
    });
  }

  /**
   * True if this transaction is the one that performs the additions of the shard. Returns at once if another one is, except for
   * payment instructions: they are started in a moment, and each end of one has others started, so none may be missed.
   */
  async lock(executor: Executor, submissionId: string, shard: number): Promise<boolean> {
    if (shard !== INSTRUCTIONS_SHARD) return tryAdvisoryLock(executor, 'additions', submissionId, shard);
    await takeAdvisoryLock(executor, 'additions', submissionId, shard);
    return true;
  }

  /** The first due additions of a shard, in the order of their lines. */
  async take(
    executor: Executor,
    submissionId: string,
    shard: number,
    { lines, characters }: { lines: number; characters: number },
  ): Promise<PendingAddition[]> {
    return executor.run<PendingAddition>(take, [submissionId, shard, lines, characters]);
  }

  /** True if the shard has additions that can be performed now. */
  async hasDue(submissionId: string, shard: number): Promise<boolean> {
    return translateErrors(
      this.database.manager
        .createQueryBuilder(SubmissionAdditionEntity, 'addition')
        .where(due(':submissionId', ':shard'), { submissionId, shard })
        .getExists(),
    );
  }

  /** Ends additions that this transaction has taken, and erases what they have added. */
  async end(executor: Executor, ended: readonly EndedAddition[]): Promise<void> {
    if (ended.length === 0) return;
    await executor.run(end, [
      ended.map(({ id }) => id),
      ended.map(({ status }) => status),
      ended.map(({ result }) => toJson(result)),
      ended.map(({ errors }) => toJson(errors)),
    ]);
  }

  /** Cancels up to `rows` additions of a submission that have not begun. Returns their number. */
  async cancel(submissionId: string, rows: number, error: SubmissionLineError): Promise<number> {
    return updateOldest(
      this.database.manager,
      SubmissionAdditionEntity,
      {
        where: `old.submissionId = :submissionId AND old.status = 'PENDING'`,
        parameters: { submissionId },
        // The order of an index that begins with the submission.
        orderBy: 'shard',
        limit: rows,
      },
      { status: 'CANCELLED', input: () => 'NULL', endedAt: () => 'now()', errors: [error] },
    );
  }

  /** Shards with additions that have been due for `afterMs`. */
  async stale(afterMs: number, rows: number): Promise<StaleShard[]> {
    // A shard whose job is alive has nothing that has been due for long.
    return translateErrors(
      this.database.manager
        .createQueryBuilder()
        .select('due.submission_id', 'submissionId')
        .addSelect('due.shard', 'shard')
        .addSelect('max(due.id)', 'lastId')
        .addSelect('due.organisation_id', 'organisationId')
        .addSelect('due.supplier', 'supplier')
        .from(
          (oldest) =>
            oldest
              .select('addition.submissionId', 'submission_id')
              .addSelect('addition.shard', 'shard')
              .addSelect('supplier.organisationId', 'organisation_id')
              .addSelect('supplier.code', 'supplier')
              .addSelect('addition.id', 'id')
              .from(SubmissionAdditionEntity, 'addition')
              .innerJoin(ImportSupplierEntity, 'supplier', 'supplier.id = addition.supplierId')
              // What a paused supplier holds must not take the places of others.
              .where(`addition.status = 'PENDING' AND supplier.status <> 'Paused'`)
              .andWhere(`addition.dueAt < now() - :afterMs * interval '1 millisecond'`, { afterMs })
              .orderBy('addition.dueAt')
              .limit(rows),
          'due',
        )
        .groupBy('due.submission_id, due.shard, due.organisation_id, due.supplier')
        .getRawMany<StaleShard>(),
    );
  }

  /** The sums of the measures of a submission, by the statuses of its lines. */
  async sum(executor: Executor, submissionId: string): Promise<AdditionSums[]> {
    const sums = executor.manager
      .createQueryBuilder(SubmissionAdditionEntity, 'addition')
      .select('addition.status', 'status')
      .where({ submissionId })
      .groupBy('addition.status');
    for (const measure of ADDITION_MEASURES)
      sums.addSelect(`coalesce(sum((addition.measures ->> '${measure}')::numeric), 0)::text`, measure);
    return sums.getRawMany<AdditionSums>();
  }
}
