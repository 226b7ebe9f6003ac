import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database, type Executor, type Statement } from '../connection/database';

/** Which queue does the work. */
export type AccountRequestKind = 'transactions' | 'payment-instruction';

export interface NewAccountRequest {
  organisationId: number;
  accountId: string;
  kind: AccountRequestKind;
  /** Of everything that the outcome depends on: equal requests have equal fingerprints. */
  fingerprint: Buffer;
  /** The client's own name for the request; two requests with the same name are one. */
  idempotencyKey: string | undefined;
  /** What the worker needs; JSON text. */
  input: string;
}

/** What requests without a key are told apart by, while they are in flight. */
type EqualRequests = Pick<NewAccountRequest, 'accountId' | 'kind' | 'fingerprint'>;

/** A request that was stored, now or before. */
export interface StoredAccountRequest {
  id: string;
  fingerprint: Buffer;
  /** Null while the work is not done. */
  outcome: unknown;
  /** Nobody can have begun with it. */
  isNew: boolean;
}

/** How a request has ended. */
export interface FinishedAccountRequest {
  id: string;
  /** JSON. */
  outcome: unknown;
  /** Whether the same key goes on giving this outcome; otherwise it may be tried again. */
  retainIdempotencyKey: boolean;
}

/** A request that is still to be done. */
export interface PendingAccountRequest {
  id: string;
  accountId: string;
  /** How often it was started, this time included. */
  attempt: number;
  /** For how long its client has been waiting, if it still is. */
  waitedMs: number;
  input: unknown;
}

/** A request whose job may be lost, with what its job carries. */
export interface StaleAccountRequest {
  id: string;
  kind: AccountRequestKind;
  supplier: string;
  externalAccountNumber: string;
}

/** Whatever it meets is looked up in the same round trip. */
const submitted = (found: string): string => `
  WITH inserted AS (
    INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, idempotency_key, input)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT DO NOTHING
    RETURNING id, fingerprint, outcome
  )
  SELECT id, fingerprint, outcome, true AS "isNew" FROM inserted
  UNION ALL
  SELECT id, fingerprint, outcome, false FROM account_request WHERE ${found} AND NOT EXISTS (SELECT FROM inserted)`;

const submit: Statement = {
  name: 'submit-account-request',
  text: submitted(
    `account_id = $2 AND kind = $3 AND fingerprint = $4 AND status = 'PENDING' AND idempotency_key IS NULL`,
  ),
};

const submitWithKey: Statement = {
  name: 'submit-account-request-with-key',
  text: submitted('organisation_id = $1 AND idempotency_key = $5'),
};

const submitTogether: Statement = {
  name: 'submit-account-requests',
  // The inputs are one JSON array, whose elements keep their text: escaping each for a text[] costs more.
  text: `
    WITH given AS (
      SELECT * FROM ROWS FROM (unnest($1::integer[]), unnest($2::bigint[]), unnest($3::text[]), unnest($4::bytea[]),
        json_array_elements($5::json)) AS given (organisation_id, account_id, kind, fingerprint, input)
    ), inserted AS (
      INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, input)
      SELECT organisation_id, account_id, kind, fingerprint, input FROM given
      ON CONFLICT DO NOTHING
      RETURNING id, account_id, kind, fingerprint, outcome
    )
    SELECT id, account_id AS "accountId", kind, fingerprint, outcome, true AS "isNew" FROM inserted
    UNION ALL
    SELECT met.id, account_id, kind, fingerprint, outcome, false
    FROM given JOIN account_request met USING (account_id, kind, fingerprint)
    WHERE status = 'PENDING' AND idempotency_key IS NULL`,
};

const start: Statement = {
  name: 'start-account-requests',
  // Counted before the work begins, so that a request that brings its worker down is counted too.
  // Nobody waits for the disk: a worker that goes down takes nothing of it along, and the server next to nothing.
  text: `
    WITH hurry AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    UPDATE account_request SET attempt = attempt + 1 FROM hurry
    WHERE id = ANY($1::bigint[]) AND kind = $2 AND status = 'PENDING'
    RETURNING id, account_id AS "accountId", attempt, input,
      extract(epoch FROM now() - created_at)::float8 * 1000 AS "waitedMs"`,
};

const finish: Statement = {
  name: 'finish-account-requests',
  // Heard by the API once, and only if, the transaction commits. A notification has room for less than 8,000 bytes.
  text: `
    WITH finished AS (
      UPDATE account_request request SET status = 'DONE', outcome = done.outcome::json, input = NULL,
        finished_at = now(), idempotency_key = CASE WHEN done.keeps_key THEN idempotency_key END
      FROM unnest($1::bigint[], $2::text[], $3::boolean[]) AS done (id, outcome, keeps_key)
      WHERE request.id = done.id AND request.status = 'PENDING'
      RETURNING request.id, done.outcome
    )
    SELECT id, pg_notify('portage_outcomes',
      CASE WHEN octet_length(outcome) < 7900 THEN id || ' ' || outcome ELSE id::text END)
    FROM finished`,
};

const outcomes: Statement = {
  name: 'outcomes-of-account-requests',
  text: `SELECT id, outcome FROM account_request WHERE id = ANY($1::bigint[]) AND status = 'DONE'`,
};

const takeStale: Statement = {
  name: 'take-stale-account-requests',
  text: `
    WITH stale AS (
      SELECT id FROM account_request
      WHERE status = 'PENDING' AND enqueued_at < now() - $1 * interval '1 millisecond'
      ORDER BY enqueued_at LIMIT $2
      FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE account_request request SET enqueued_at = now() FROM stale WHERE request.id = stale.id
      RETURNING request.id, kind, account_id
    )
    SELECT taken.id, kind, supplier.code AS supplier, external_account_number AS "externalAccountNumber"
    FROM taken JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = supplier_id`,
};

const forget: Statement = {
  name: 'forget-account-requests',
  text: `
    DELETE FROM account_request WHERE id IN (
      SELECT id FROM account_request WHERE status = 'DONE' AND finished_at < now() - $1 * interval '1 hour'
      ORDER BY finished_at LIMIT $2
      FOR UPDATE SKIP LOCKED)
    RETURNING id`,
};

/** The same for equal requests, which are one while the first of them is in flight. */
export function inFlightKey({ accountId, kind, fingerprint }: EqualRequests): string {
  return `${kind} ${accountId} ${fingerprint.toString('base64')}`;
}

/** Requests that a worker does while the API waits (DESIGN 4): stored first, so that no answer can be lost. */
@Injectable()
export class AccountRequestRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a request, or finds the one that it repeats: the one of the same key, else an equal one in flight.
   *
   * @returns undefined when the one it met was finished in this very moment: store it again
   */
  async submit(request: NewAccountRequest): Promise<StoredAccountRequest | undefined> {
    const { organisationId, accountId, kind, fingerprint, idempotencyKey, input } = request;
    const [stored] = await this.database.run<StoredAccountRequest & Record<string, unknown>>(
      idempotencyKey === undefined ? submit : submitWithKey,
      [organisationId, accountId, kind, fingerprint, idempotencyKey ?? null, input],
    );
    return stored;
  }

  /**
   * As {@link submit}, for requests without a key, in one statement: a result for each. No two of them may be equal
   * ({@link inFlightKey}).
   */
  async submitAll(requests: readonly NewAccountRequest[]): Promise<(StoredAccountRequest | undefined)[]> {
    // In one order, so that two who store the same do not wait for each other.
    const ordered = requests.toSorted((one, other) => (inFlightKey(one) < inFlightKey(other) ? -1 : 1));
    const rows = await this.database.run<StoredAccountRequest & EqualRequests & QueryResultRow>(
      submitTogether,
      [
        ordered.map(({ organisationId }) => organisationId),
        ordered.map(({ accountId }) => accountId),
        ordered.map(({ kind }) => kind),
        ordered.map(({ fingerprint }) => fingerprint),
        `[${ordered.map(({ input }) => input).join(',')}]`,
      ],
    );
    const stored = new Map(rows.map((row) => [inFlightKey(row), row]));
    return requests.map((request) => stored.get(inFlightKey(request)));
  }

  /** Starts those of the requests that are not done. */
  async start(ids: readonly string[], kind: AccountRequestKind): Promise<PendingAccountRequest[]> {
    return this.database.run<PendingAccountRequest & Record<string, unknown>>(start, [ids, kind]);
  }

  /**
   * Stores outcomes in the transaction that did the work, and announces them.
   *
   * @returns the ids of those that are stored; where one is missing somebody else has stored one, and the transaction
   * must not commit
   */
  async finish(executor: Executor, requests: readonly FinishedAccountRequest[]): Promise<Set<string>> {
    const rows = await executor.run<{ id: string }>(finish, [
      requests.map(({ id }) => id),
      requests.map(({ outcome }) => JSON.stringify(outcome)),
      requests.map(({ retainIdempotencyKey }) => retainIdempotencyKey),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** The outcomes of those requests that are done. */
  async outcomes(ids: readonly string[]): Promise<{ id: string; outcome: unknown }[]> {
    return this.database.run<{ id: string; outcome: unknown }>(outcomes, [ids]);
  }

  /** Takes requests that have waited for so long, so that no other sweeper does. */
  async takeStale(olderThanMs: number, most: number): Promise<StaleAccountRequest[]> {
    return this.database.run<StaleAccountRequest & Record<string, unknown>>(takeStale, [olderThanMs, most]);
  }

  /** @returns how many requests, finished so many hours ago, were deleted */
  async forget(olderThanHours: number, most: number): Promise<number> {
    return (await this.database.run(forget, [olderThanHours, most])).length;
  }
}
