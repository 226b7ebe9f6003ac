import { Injectable } from '@nestjs/common';
import { AccountEntity, accountTables, attributedTables } from '@portage/accounts';
import type { Executor, Statement } from '@portage/platform';
import { In } from 'typeorm';
import type { ImportProcessEvent } from '../processes/event';
import { IMPORT_PROCESS_TRANSITIONS, statusesAllowing } from '../processes/status';

/** What has happened to an account since its import. */
export interface AccountHistory {
  isErased: boolean;
  /** What requests have added, by names for people. */
  additions: string[];
  /** True if its customer has got the welcome e-mail. */
  isEmailSent: boolean;
  isBeingCorrected: boolean;
  /** True if it was corrected since its import, but not by the submission that was asked for. */
  isCorrected: boolean;
}

const ACTION = 'roll-back';

/** OFFSET 0 makes the planner probe an index for each account instead of reading the whole table once. */
const exists = (condition: string) => `EXISTS (SELECT FROM ${condition} OFFSET 0)`;

/** What was added to an account, by the name for people. */
const ADDITIONS: readonly [name: string, condition: string][] = [
  ['requests', 'account_request WHERE account_id = account.id'],
  ['requests to process it', 'account_request WHERE process_id = account.process_id'],
  ['requests with an Idempotency-Key', 'idempotency_key WHERE account_id = account.id'],
  ...attributedTables.map((table): [string, string] => [
    `${table.replaceAll('_', ' ')}s`,
    `"${table}" part WHERE account_id = account.id AND part.actor IS NOT NULL`,
  ]),
];

const corrections = (condition: string) =>
  exists(`import_process_correction correction WHERE process_id = account.process_id AND ${condition}`);

const findObstacles: Statement = {
  name: 'obstacles-to-remove-accounts',
  text: `
    SELECT account.id, account.erased_at IS NOT NULL AS is_erased,
      ARRAY(SELECT name FROM (VALUES ${ADDITIONS.map(([name, condition]) => `('${name}', ${exists(condition)})`).join(', ')})
        AS addition (name, is_there) WHERE is_there) AS additions,
      ${exists(`welcome_email WHERE account_id = account.id AND state = 'SENT'`)} AS is_email_sent,
      ${corrections(`status = 'PENDING'`)} AS is_being_corrected,
      ${corrections(`status = 'SUCCEEDED' AND NOT is_dry_run AND submission_id IS DISTINCT FROM $2::bigint
        AND correction.created_at > account.created_at`)} AS is_corrected
    FROM unnest($1::bigint[]) AS requested (id)
    CROSS JOIN LATERAL (SELECT * FROM account WHERE id = requested.id OFFSET 0) account`,
};

/**
 * The time at which the account was sent, or moved by an operator, for the last time: since a rollback the latest event is
 * that again, as after a cancellation.
 */
const CREATED_AT = `(SELECT max(occurred_at) FROM import_process_event
          WHERE process_id = process.id AND event IN ('SCHEDULED', 'STAGED', 'SUBMITTED', 'RELEASED', 'RETRIED'))`;

const remove: Statement = {
  name: 'remove-accounts',
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

/** Deletes accounts, as if they had not been imported. */
@Injectable()
export class AccountRemovalRepository {
  /** The id of the account with a platform account number; undefined if there is none. */
  async idOf(executor: Executor, number: string): Promise<string | undefined> {
    const found = await executor.manager.findOne(AccountEntity, { select: { id: true }, where: { number } });
    return found?.id;
  }

  /** Locks accounts until the transaction ends. Returns the ids of those that still exist. */
  async lock(executor: Executor, ids: readonly string[]): Promise<Set<string>> {
    // FOR UPDATE also blocks the addition of rows that refer to the accounts. In the order of ids, so that two of them
    // do not deadlock.
    const locked = await executor.manager.find(AccountEntity, {
      select: { id: true },
      where: { id: In(ids) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return new Set(locked.map(({ id }) => id));
  }

  /**
   * What has happened to each account, by id.
   *
   * @param submissionId whose corrections do not count
   */
  async histories(
    executor: Executor,
    ids: readonly string[],
    submissionId?: string,
  ): Promise<Map<string, AccountHistory>> {
    const rows = await executor.run<AccountHistory & { id: string }>(findObstacles, [
      ids,
      submissionId ?? null,
    ]);
    return new Map(rows.map(({ id, ...history }) => [id, history]));
  }

  /**
   * Deletes accounts with all their rows, and cancels their processes with an event and a new version, so that late jobs
   * do nothing. The caller holds the locks of the accounts. Documents in the store stay, because the import did not put
   * them there.
   */
  async remove(
    executor: Executor,
    ids: readonly string[],
    event: Extract<ImportProcessEvent, 'ROLLED_BACK' | 'TAKEN_BACK'>,
    actor: string,
  ): Promise<void> {
    const values = [ids, IMPORT_PROCESS_TRANSITIONS[ACTION].to, statusesAllowing(ACTION), event, actor];
    const cancelled = await executor.run(remove, values);
    // The transaction is rolled back by this: an account without its process is not left behind.
    if (cancelled.length !== ids.length) throw new Error('A process of an account is not PROCESSED.');
  }
}
