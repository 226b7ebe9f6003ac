import { Injectable } from '@nestjs/common';
import {
  anyOf,
  Database,
  deleteOldest,
  type Executor,
  Quotas,
  type Statement,
  translateErrors,
} from '@portage/platform';
import { In } from 'typeorm';
import { AccountRequestEntity } from './account-request.entity';
import { IdempotencyKeyRepository, type StoredKey } from './idempotency-key.repository';

/** The kind of an account request decides which queue performs it. */
export type AccountRequestKind = 'transactions' | 'payment-instruction' | 'process-account';

/** A request about an imported account to store. */
export interface NewAccountRequest {
  organisationId: number;
  accountId: string;
  kind: Exclude<AccountRequestKind, 'process-account'>;
  /** Hash of everything that the outcome depends on: equal requests have equal fingerprints. */
  fingerprint: Buffer;
  /** The header `Idempotency-Key`: requests of an organisation with the same key are one request. */
  idempotencyKey: string | undefined;
  /** The API key that sent it, as the audit records it. */
  actor: string;
  /** Input of the worker; JSON text. */
  input: string;
}

/** A request that processes a staged account, to store. `isKeyed`: it has an idempotency key. */
export type NewProcessingRequest = Pick<NewAccountRequest, 'organisationId' | 'fingerprint' | 'actor'> & {
  processId: string;
  isKeyed: boolean;
  /** Input of the worker, with what {@link StaleAccountRequest} says of an account that is not imported yet. */
  input: Pick<StaleAccountRequest, 'supplier' | 'externalAccountNumber'>;
};

/** A request about a staged account that is in flight, or whose outcome its client does not know. */
export interface ProcessingRequest {
  id: string;
  fingerprint: Buffer;
  /** JSON; null while the request is pending. */
  outcome: unknown;
}

/** The identity of a request without a key while it is in flight. */
type InFlightIdentity = Pick<NewAccountRequest, 'accountId' | 'kind' | 'fingerprint'>;

/** A request that was stored now or earlier. */
export interface StoredAccountRequest {
  id: string;
  fingerprint: Buffer;
  /** JSON; null while the request is pending. */
  outcome: unknown;
  /** True if the request was stored by this call, so that no worker can have started it before. */
  isNew: boolean;
}

/**
 * The result of submitting a request. `account-erased`: the account was erased, and nothing is stored. Undefined when
 * the conflicting request was finished concurrently: submit again.
 */
export type AccountRequestSubmission = StoredAccountRequest | 'account-erased' | undefined;

/** The end of a request. */
export interface FinishedAccountRequest {
  id: string;
  /** JSON. */
  outcome: unknown;
  /** True if a repetition with the same key gets this outcome; false if the key may be used for another request. */
  retainIdempotencyKey: boolean;
}

/** A request that a worker has started. */
export interface PendingAccountRequest {
  id: string;
  organisationId: number;
  /** Null for the kind `process-account` only, whose input names its process. */
  accountId: string;
  /** Number of starts, including this one. */
  attempt: number;
  /** Time since the request was stored, in milliseconds: how long its client has waited. */
  waitedMs: number;
  /** The API key that sent it. */
  actor: string;
  input: unknown;
}

/** A request whose job may be lost, with the payload of its job. */
export interface StaleAccountRequest {
  id: string;
  kind: AccountRequestKind;
  /** In characters. */
  inputLength: number;
  organisationId: number;
  supplier: string;
  externalAccountNumber: string;
}

/** The ids of the accounts that are not erased. An erasure waits for the request, or the request for the erasure. */
const LIVING = `SELECT id FROM account WHERE id = ${anyOf('$2::bigint[]')} AND erased_at IS NULL FOR KEY SHARE`;

const submitWithKey: Statement = {
  name: 'submit-account-request-with-key',
  // The key comes first, and waits for another request that is storing it. A request is stored only with its key.
  text: `
    WITH living AS MATERIALIZED (${LIVING}), claimed AS (
      INSERT INTO idempotency_key (organisation_id, key, endpoint, fingerprint, request_id)
      SELECT $1::integer, $5::text, $3::text, $4::bytea, nextval(pg_get_serial_sequence('account_request', 'id'))
      FROM living
      ON CONFLICT DO NOTHING
      RETURNING request_id
    ), inserted AS (
      INSERT INTO account_request (id, organisation_id, account_id, kind, fingerprint, is_keyed, input, actor)
      OVERRIDING SYSTEM VALUE
      SELECT request_id, $1::integer, living.id, $3::text, $4::bytea, true, $6::json, $7::text
      FROM claimed CROSS JOIN living
      RETURNING id, fingerprint, outcome
    )
    SELECT id, fingerprint, outcome, true AS is_new FROM inserted
    UNION ALL
    SELECT NULL, NULL, NULL, false WHERE NOT EXISTS (SELECT FROM living)`,
};

const submitAll: Statement = {
  name: 'submit-account-requests',
  // Returns requests that conflict with stored ones in the same round trip. The inputs are one JSON array, whose elements
  // are stored unchanged: escaping each for a text[] is slower.
  text: `
    WITH new_request AS (
      SELECT * FROM ROWS FROM (unnest($1::integer[]), unnest($2::bigint[]), unnest($3::text[]), unnest($4::bytea[]),
        json_array_elements($5::json), unnest($6::text[])) WITH ORDINALITY
        AS new_request (organisation_id, account_id, kind, fingerprint, input, actor, ordinal)
    ), living AS MATERIALIZED (${LIVING}), inserted AS (
      INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, input, actor)
      SELECT organisation_id, account_id, kind, fingerprint, input, actor FROM new_request
      WHERE account_id IN (SELECT id FROM living) ORDER BY ordinal
      ON CONFLICT DO NOTHING
      RETURNING id, account_id, kind, fingerprint, outcome
    )
    SELECT id, account_id, kind, fingerprint, outcome, true AS is_new FROM inserted
    UNION ALL
    SELECT existing.id, account_id, kind, fingerprint, outcome, false
    FROM new_request JOIN account_request existing USING (account_id, kind, fingerprint)
    WHERE status = 'PENDING' AND NOT is_keyed
    UNION ALL
    SELECT NULL, account_id, kind, fingerprint, NULL, false FROM new_request
    WHERE account_id NOT IN (SELECT id FROM living)`,
};

const start: Statement = {
  name: 'start-account-requests',
  // The attempt is counted before the work begins, so that a request that crashes its worker is counted too. The commit
  // is asynchronous: a crash of the worker loses no count, and a crash of the server loses few.
  text: `
    WITH commit_setting AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    UPDATE account_request SET attempt = attempt + 1 FROM commit_setting
    WHERE id = ${anyOf('$1::bigint[]')} AND kind = $2 AND status = 'PENDING'
    RETURNING id, organisation_id, account_id, attempt, input, actor,
      extract(epoch FROM now() - created_at)::float8 * 1000 AS waited_ms`,
};

const finish: Statement = {
  name: 'finish-account-requests',
  // PostgreSQL delivers the notification only if the transaction commits. Its payload is limited to 8,000 bytes, so that
  // it is the outcomes by id, or only the ids. A transaction that finishes many requests announces them together.
  text: `
    WITH finished AS (
      UPDATE account_request request SET status = 'DONE', outcome = done.outcome::json, input = NULL,
        finished_at = now()
      FROM unnest($1::bigint[], $2::text[], $3::boolean[]) AS done (id, outcome, retain_key)
      WHERE request.id = done.id AND request.status = 'PENDING'
      RETURNING request.id, done.outcome, done.retain_key
    ), released AS (
      DELETE FROM idempotency_key WHERE request_id = ANY(ARRAY(SELECT id FROM finished WHERE NOT retain_key))
    )
    SELECT array_agg(id) AS ids, pg_notify('portage_outcomes',
      CASE WHEN sum(octet_length(outcome) + 40) < 7900 THEN json_object_agg(id, outcome::json)::text
        ELSE json_agg(id::text)::text END)
    FROM finished HAVING count(*) > 0`,
};

/** A stored request, or without an id the mark of an account that is erased. */
type SubmittedRow = Omit<StoredAccountRequest, 'id'> & { id: string | null };

/** The request that has a key. One that no worker performs belongs to another endpoint, and differs by its fingerprint. */
function toSubmission({ requestId, fingerprint, outcome }: StoredKey): StoredAccountRequest {
  return { id: requestId ?? '0', fingerprint, outcome, isNew: false };
}

function isErasedAccount({ id }: SubmittedRow): boolean {
  return id === null;
}

/** Builds a key that is equal for equal requests without an idempotency key, which are one request while in flight. */
export function inFlightKey({ accountId, kind, fingerprint }: InFlightIdentity): string {
  return `${kind} ${accountId} ${fingerprint.toString('base64')}`;
}

/** Requests that a worker performs while the API waits. They are stored first, so that no outcome can be lost. */
@Injectable()
export class AccountRequestRepository {
  constructor(
    private readonly database: Database,
    private readonly keys: IdempotencyKeyRepository,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Stores a request, or finds the request that it repeats: the one with the same key, else an equal one in flight. No
   * request is stored for an account that is erased, also while its erasure is running.
   *
   * @returns undefined when a conflicting request has ended concurrently: submit again
   * @throws PortageError `quota_reached`
   */
  async submit(request: NewAccountRequest): Promise<AccountRequestSubmission> {
    const { organisationId, accountId, kind, fingerprint, idempotencyKey, input, actor } = request;
    if (idempotencyKey === undefined) return (await this.submitAll([request]))[0];
    const key = { organisationId, key: idempotencyKey };
    // A repeated request is answered, however many are stored.
    const earlier = await this.keys.find(this.database, key);
    if (earlier) return toSubmission(earlier);
    const values = [organisationId, [accountId], kind, fingerprint, idempotencyKey, input, actor];
    await this.quotas.take('idempotency_keys', key);
    const [stored] = await this.database.run<SubmittedRow>(submitWithKey, values);
    if (!stored) return undefined;
    return isErasedAccount(stored) ? 'account-erased' : (stored as StoredAccountRequest);
  }

  /**
   * Submits requests without a key in one statement, see {@link submit}. No two of them may be equal
   * ({@link inFlightKey}). Rows are written in the order of that key to avoid deadlocks between two batches.
   *
   * @returns a result for each, in the order of `requests`
   */
  async submitAll(requests: readonly NewAccountRequest[]): Promise<AccountRequestSubmission[]> {
    const ordered = requests.toSorted((left, right) => (inFlightKey(left) < inFlightKey(right) ? -1 : 1));
    const rows = await this.database.run<SubmittedRow & InFlightIdentity>(submitAll, [
      ordered.map(({ organisationId }) => organisationId),
      ordered.map(({ accountId }) => accountId),
      ordered.map(({ kind }) => kind),
      ordered.map(({ fingerprint }) => fingerprint),
      `[${ordered.map(({ input }) => input).join(',')}]`,
      ordered.map(({ actor }) => actor),
    ]);
    // The rows of erased accounts are the last ones, and so replace others with the same key.
    const stored = new Map(
      rows.map((row): [string, AccountRequestSubmission] => [
        inFlightKey(row),
        isErasedAccount(row) ? 'account-erased' : (row as StoredAccountRequest),
      ]),
    );
    return requests.map((request) => stored.get(inFlightKey(request)));
  }

  /**
   * Stores a request that processes a staged account, whose process the caller has locked.
   *
   * @returns its id
   */
  async insertProcessing(executor: Executor, request: NewProcessingRequest): Promise<string> {
    const values = { ...request, kind: 'process-account' as const };
    const { identifiers } = await translateErrors(executor.manager.insert(AccountRequestEntity, values));
    return (identifiers[0] as { id: string }).id;
  }

  /** The latest request about a staged account, if it is in flight or its client does not know the outcome. */
  async findProcessing(executor: Executor, processId: string): Promise<ProcessingRequest | undefined> {
    const latest = await translateErrors(
      executor.manager.findOne(AccountRequestEntity, { where: { processId }, order: { id: 'DESC' } }),
    );
    return latest && (latest.status === 'PENDING' || latest.isUnanswered) ? latest : undefined;
  }

  /** Records whether the client of a request does not know its outcome. */
  async setUnanswered(executor: Executor, id: string, isUnanswered: boolean): Promise<void> {
    await translateErrors(executor.manager.update(AccountRequestEntity, { id }, { isUnanswered }));
  }

  /** Starts the requests that are pending, and returns them. */
  async start(ids: readonly string[], kind: AccountRequestKind): Promise<PendingAccountRequest[]> {
    return this.database.run<PendingAccountRequest>(start, [ids, kind]);
  }

  /**
   * Stores outcomes in the transaction that did the work, and announces them with one notification.
   *
   * @returns the ids of the requests that were finished; a request that is missing was finished by another worker, and
   * the transaction must not commit
   */
  async finish(executor: Executor, requests: readonly FinishedAccountRequest[]): Promise<Set<string>> {
    const [finished] = await executor.run<{ ids: string[] }>(finish, [
      requests.map(({ id }) => id),
      requests.map(({ outcome }) => JSON.stringify(outcome)),
      requests.map(({ retainIdempotencyKey }) => retainIdempotencyKey),
    ]);
    return new Set(finished?.ids);
  }

  /** Returns the outcomes of the requests that are finished. */
  async findOutcomes(ids: readonly string[]): Promise<{ id: string; outcome: unknown }[]> {
    return translateErrors(
      this.database.manager.find(AccountRequestEntity, {
        select: { id: true, outcome: true },
        where: { id: In(ids), status: 'DONE' },
      }),
    );
  }

  /**
   * Returns pending requests that were enqueued `olderThanMs` ago or earlier, and marks them as enqueued now, so that
   * no other sweeper takes them.
   */
  async takeStale(olderThanMs: number, limit: number): Promise<StaleAccountRequest[]> {
    return this.database.transaction(async ({ manager }) => {
      const stale = await manager
        .createQueryBuilder(AccountRequestEntity, 'request')
        .leftJoin('request.account', 'account')
        .leftJoin('account.supplier', 'supplier')
        .select('request.id', 'id')
        .addSelect('request.kind', 'kind')
        .addSelect('length(request.input::text)', 'inputLength')
        .addSelect('request.organisationId', 'organisationId')
        .addSelect(`coalesce(supplier.code, request.input ->> 'supplier')`, 'supplier')
        .addSelect(
          `coalesce(account.externalAccountNumber, request.input ->> 'externalAccountNumber')`,
          'externalAccountNumber',
        )
        .where(`request.status = 'PENDING'`)
        .andWhere(`request.enqueuedAt < now() - :olderThanMs * interval '1 millisecond'`, { olderThanMs })
        .orderBy('request.enqueuedAt')
        .limit(limit)
        .setLock('pessimistic_write', undefined, ['request'])
        .setOnLocked('skip_locked')
        .getRawMany<StaleAccountRequest>();
      const ids = stale.map(({ id }) => id);
      await manager.update(AccountRequestEntity, { id: In(ids) }, { enqueuedAt: () => 'now()' });
      return stale;
    });
  }

  /**
   * Deletes requests that were finished `olderThanHours` ago or earlier.
   *
   * @returns the number of deleted requests
   */
  async deleteFinished(olderThanHours: number, limit: number): Promise<number> {
    return deleteOldest(this.database.manager, AccountRequestEntity, {
      where: `old.status = 'DONE' AND old.finishedAt < now() - :olderThanHours * interval '1 hour'`,
      parameters: { olderThanHours },
      orderBy: 'finishedAt',
      limit,
    });
  }
}
