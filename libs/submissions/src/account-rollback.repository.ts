import { Injectable } from '@nestjs/common';
import { accountTables, attributedTables } from '@portage/accounts';
import { IMPORT_PROCESS_TRANSITIONS, type ImportProcessEvent, statusesAllowing } from '@portage/imports';
import { Database, type Executor, type Statement } from '@portage/platform';
import type { RollbackObstacle } from './rollback';

/** An account that a submission has created. */
export interface SubmittedAccount {
  id: string;
  processId: string;
  number: string;
  externalAccountNumber: string;
}

/** The number of accounts of a submission, and of its processes that have not ended. */
export interface RollbackCounts {
  accounts: number;
  unfinished: number;
}

/** The processes of a submission that have an account. The row of the account is missing if the table was damaged. */
interface ProcessedRow extends Omit<SubmittedAccount, 'id'> {
  id: string | null;
}

const ACTION = 'roll-back';
const EVENT: ImportProcessEvent = 'ROLLED_BACK';

const count: Statement = {
  name: 'count-accounts-to-roll-back',
  text: `
    SELECT count(*) FILTER (WHERE status = 'PROCESSED')::float8 AS accounts,
      count(*) FILTER (WHERE status <> 'PROCESSED')::float8 AS unfinished
    FROM import_process
    WHERE submission_id = $1 AND status = ANY('{PROCESSED,PENDING,IN_PROGRESS}')`,
};

const page: Statement = {
  name: 'accounts-to-roll-back',
  text: `
    SELECT account.id, process.id AS process_id, process.account_number AS number,
      process.external_account_number
    FROM (
      SELECT id, account_number, external_account_number FROM import_process
      WHERE submission_id = $1 AND status = 'PROCESSED' AND id > $2::bigint
      ORDER BY id LIMIT $3
    ) process
    LEFT JOIN LATERAL (SELECT id FROM account WHERE process_id = process.id OFFSET 0) account ON true
    ORDER BY process.id`,
};

const lock: Statement = {
  name: 'lock-accounts-to-roll-back',
  // FOR UPDATE also blocks the addition of rows that refer to the accounts. In the order of ids, so that two rollbacks
  // do not deadlock.
  text: 'SELECT id FROM account WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
};

/** OFFSET 0 makes the planner probe an index for each account instead of reading the whole table once. */
const exists = (condition: string) => `EXISTS (SELECT FROM ${condition} OFFSET 0)`;

const findObstacles: Statement = {
  name: 'obstacles-to-roll-back',
  text: `
    SELECT account.id, CASE
      WHEN account.erased_at IS NOT NULL THEN 'erased'
      WHEN ${[
        exists('account_request WHERE account_id = account.id'),
        exists('account_request WHERE process_id = account.process_id'),
        exists('idempotency_key WHERE account_id = account.id'),
        ...attributedTables.map((table) =>
          exists(`"${table}" part WHERE account_id = account.id AND part.actor IS NOT NULL`),
        ),
      ].join('\n        OR ')} THEN 'has_requests'
      WHEN ${exists(`welcome_email WHERE account_id = account.id AND state = 'SENT'`)} THEN 'welcome_email_sent'
      END AS obstacle
    FROM unnest($1::bigint[]) AS requested (id)
    CROSS JOIN LATERAL (SELECT * FROM account WHERE id = requested.id OFFSET 0) account`,
};

/**
 * The time at which the account was sent, or moved by an operator, for the last time: since a rollback the latest event is
 * that again, as after a cancellation.
 */
const CREATED_AT = `(SELECT max(occurred_at) FROM import_process_event
          WHERE process_id = process.id AND event IN ('SCHEDULED', 'STAGED', 'SUBMITTED', 'RELEASED', 'RETRIED'))`;

const rollBack: Statement = {
  name: 'roll-back-accounts',
  // One statement, so that the foreign keys between the rows are checked at its end. A process whose payload was erased
  // has nothing to import again: it looks as if it were erased without an account, and waits for the account to be sent.
  text: `
    WITH ${accountTables
      .map((table) => `deleted_${table} AS (DELETE FROM "${table}" WHERE account_id = ANY($1::bigint[]))`)
      .join(', ')},
    deleted AS (
      DELETE FROM account WHERE id = ANY($1::bigint[])
      RETURNING process_id, payload_erased_at IS NOT NULL AS is_payload_erased
    ), cancelled AS (
      UPDATE import_process process SET status = $2, version = version + 1, attempt = 0, account_number = NULL,
        account_created_at = NULL, is_released = false, batch_id = NULL, latest_event = 'CREATED',
        latest_event_at = coalesce(${CREATED_AT}, process.created_at), modified_at = now(),
        payload_hash = CASE WHEN deleted.is_payload_erased THEN '' ELSE process.payload_hash END
      FROM deleted WHERE process.id = deleted.process_id AND process.status = ANY($3)
      RETURNING process.id, process.version, process.attempt, process.supplier_id, process.submission_id
    ), payloads AS (
      INSERT INTO import_process_payload (process_id, payload)
      SELECT process_id, '{}' FROM deleted WHERE is_payload_erased
      ON CONFLICT DO NOTHING
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor, supplier_id, submission_id,
        transaction_id)
      SELECT id, version, attempt, $4, $5, supplier_id, submission_id, event_transaction_id() FROM cancelled
    )
    SELECT id AS process_id FROM cancelled`,
};

/** Deletes accounts that a submission has created, as if they had not been imported. */
@Injectable()
export class AccountRollbackRepository {
  constructor(private readonly database: Database) {}

  /** Counts the accounts of a submission, and its unfinished processes. */
  async count(submissionId: string): Promise<RollbackCounts> {
    const [counts] = await this.database.run<RollbackCounts>(count, [submissionId]);
    return counts ?? { accounts: 0, unfinished: 0 };
  }

  /**
   * The next accounts of a submission, in the order in which their processes were created.
   *
   * @param after the id of a process, `0` to begin
   */
  async page(executor: Executor, submissionId: string, after: string, rows: number): Promise<ProcessedRow[]> {
    return executor.run<ProcessedRow>(page, [submissionId, after, rows]);
  }

  /** Locks accounts until the transaction ends. Returns the ids of those that still exist. */
  async lock(executor: Executor, ids: readonly string[]): Promise<Set<string>> {
    return new Set((await executor.run<{ id: string }>(lock, [ids])).map(({ id }) => id));
  }

  /** Why each account must be left alone, by id; null where nothing is in the way. */
  async obstacles(executor: Executor, ids: readonly string[]): Promise<Map<string, RollbackObstacle | null>> {
    const rows = await executor.run<{ id: string; obstacle: RollbackObstacle | null }>(findObstacles, [ids]);
    return new Map(rows.map(({ id, obstacle }) => [id, obstacle]));
  }

  /**
   * Deletes accounts with all their rows, and cancels their processes with the event ROLLED_BACK and a new version, so
   * that late jobs do nothing. The caller holds the locks of the accounts. Documents in the store stay, because the
   * import did not put them there.
   */
  async rollBack(executor: Executor, ids: readonly string[], actor: string): Promise<void> {
    const values = [ids, IMPORT_PROCESS_TRANSITIONS[ACTION].to, statusesAllowing(ACTION), EVENT, actor];
    const cancelled = await executor.run(rollBack, values);
    // The transaction is rolled back by this: an account without its process is not left behind.
    if (cancelled.length !== ids.length) throw new Error('A process of an account is not PROCESSED.');
  }
}
