import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement, translateErrors, tryAdvisoryLock } from '@portage/platform';
import type { WebhookAttemptEntity } from './webhook-attempt.entity';
import type { WebhookDisabledReason } from './webhook-endpoint';
import type { EventPosition } from '../feed/event-position';
import { WebhookEndpointEntity } from './webhook-endpoint.entity';
import { type StoredWebhookEndpoint, WebhookEndpointRepository } from './webhook-endpoint.repository';

/** Bounds of the endpoints that are served at the same time. */
export interface ClaimLimits {
  /** Endpoints to claim. */
  limit: number;
  /** Endpoints of one organisation that are served at the same time, by all dispatchers. */
  maxOfOrganisation: number;
  /** Of these, endpoints with the same host. */
  maxOfHost: number;
  leaseMs: number;
}

/** The right to serve an endpoint, until the lease ends. */
export interface EndpointLease {
  id: string;
  token: string;
  /** The revision of the endpoint that was claimed. */
  revision: number;
}

/** An attempt to store. */
export interface NewWebhookAttempt extends Omit<WebhookAttemptEntity, 'id' | 'endpointId' | 'occurredAt'> {
  occurredAt: Date;
}

/** How far a dispatcher has come with an endpoint. */
export interface DispatchProgress {
  position: EventPosition;
  attempts: number;
  failingSince: Date | null;
  nextAttemptAt: Date | null;
  /** Disables the endpoint. */
  disabled: { reason: WebhookDisabledReason; at: Date } | null;
  made: readonly NewWebhookAttempt[];
  /** Attempts of the endpoint that stay stored, besides those that are made now. */
  maxStored: number;
}

/** The host of a URL, without its port. */
const HOST = `substring(endpoint.url FROM '^[^/]+//([[][^]]*[]]|[^/:?]+)')`;

const claimEndpoints: Statement = {
  name: 'claim-webhook-endpoints',
  // Two probes of an index for each enabled endpoint that is due. A reader that has read all visible events has the
  // horizon of then as its position, so that an event at or after its transaction is new.
  text: `
    WITH served AS MATERIALIZED (
      SELECT supplier.organisation_id, ${HOST} AS host FROM webhook_endpoint endpoint
      JOIN import_supplier supplier ON supplier.id = endpoint.supplier_id
      WHERE endpoint.status = 'ENABLED' AND endpoint.lease_until > now()
    ), due AS MATERIALIZED (
      SELECT endpoint.id, endpoint.claimed_at, supplier.organisation_id, ${HOST} AS host
      FROM webhook_endpoint endpoint JOIN import_supplier supplier ON supplier.id = endpoint.supplier_id
      WHERE endpoint.status = 'ENABLED' AND endpoint.verified_at IS NOT NULL
        AND (endpoint.next_attempt_at IS NULL OR endpoint.next_attempt_at <= $1)
        AND (endpoint.lease_until IS NULL OR endpoint.lease_until <= now())
        AND (
          EXISTS (
            SELECT FROM import_process_event event WHERE event.supplier_id = endpoint.supplier_id
              AND event.transaction_id >= (endpoint.position ->> 'transaction')::bigint
              AND event.transaction_id < event_feed_horizon() OFFSET 0
          ) OR EXISTS (
            SELECT FROM submission_event event WHERE event.supplier_id = endpoint.supplier_id
              AND event.transaction_id >= (endpoint.position ->> 'transaction')::bigint
              AND event.transaction_id < event_feed_horizon() OFFSET 0
          )
        )
    ), of_host AS (
      SELECT *, row_number() OVER (PARTITION BY organisation_id, host ORDER BY claimed_at, id) AS rank FROM due
    ), of_organisation AS (
      SELECT *, row_number() OVER (PARTITION BY organisation_id ORDER BY claimed_at, id) AS organisation_rank
      FROM of_host
      WHERE rank + (SELECT count(*) FROM served
        WHERE served.organisation_id = of_host.organisation_id AND served.host = of_host.host) <= $6
    ), claimed AS (
      SELECT endpoint.id FROM of_organisation due JOIN webhook_endpoint endpoint ON endpoint.id = due.id
      WHERE due.organisation_rank
          + (SELECT count(*) FROM served WHERE served.organisation_id = due.organisation_id) <= $2
        AND endpoint.status = 'ENABLED' AND (endpoint.lease_until IS NULL OR endpoint.lease_until <= now())
      ORDER BY due.claimed_at LIMIT $3 FOR NO KEY UPDATE OF endpoint SKIP LOCKED
    )
    UPDATE webhook_endpoint endpoint
    SET lease_token = $4, lease_until = now() + $5 * interval '1 millisecond', claimed_at = now()
    FROM claimed WHERE endpoint.id = claimed.id
    RETURNING endpoint.id`,
};

/** The oldest attempts that are deleted with stored progress: more than it adds. */
const MAX_DROPPED_ATTEMPTS = 1_000;

const storeProgress: Statement = {
  name: 'store-webhook-progress',
  // Writes nothing unless the lease is in the same hands and no request or command has changed the endpoint.
  text: `
    WITH stored AS (
      UPDATE webhook_endpoint SET position = $4, attempts = $5, failing_since = $6, next_attempt_at = $7,
        status = CASE WHEN $8::text IS NULL THEN status ELSE 'DISABLED' END,
        disabled_reason = $8, disabled_at = $9,
        lease_token = CASE WHEN $10::integer IS NULL THEN NULL ELSE lease_token END,
        lease_until = now() + $10::integer * interval '1 millisecond'
      WHERE id = $1 AND lease_token = $2 AND revision = $3 AND status = 'ENABLED'
      RETURNING id
    ), dropped AS (
      -- What is added now comes on top. More are left than that only from before the limit.
      DELETE FROM webhook_attempt WHERE id = ANY(ARRAY(
        SELECT id FROM webhook_attempt WHERE endpoint_id = (SELECT id FROM stored)
        ORDER BY id DESC OFFSET $18 LIMIT ${MAX_DROPPED_ATTEMPTS}))
    ), added AS (
      INSERT INTO webhook_attempt
        (endpoint_id, event_id, event_type, number, status, error, duration_ms, occurred_at)
      SELECT stored.id, made.* FROM stored CROSS JOIN unnest($11::text[], $12::text[], $13::integer[], $14::integer[],
        $15::text[], $16::integer[], $17::timestamptz[]) AS made
    )
    SELECT id FROM stored`,
};

/** The dispatchers' side of endpoints: which are due, who serves them, and how far they have come. */
@Injectable()
export class WebhookDispatchRepository {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointRepository,
  ) {}

  /**
   * Claims endpoints that are verified, have new events and are due, those that have waited longest first. Of concurrent
   * dispatchers one claims, and the others get none. Leases are measured by the clock of the database.
   *
   * @param now compared with the time of the next attempt
   * @param token a UUID for this claim
   */
  async claim(
    now: Date,
    token: string,
    { limit, maxOfOrganisation, maxOfHost, leaseMs }: ClaimLimits,
  ): Promise<StoredWebhookEndpoint[]> {
    const rows = await this.database.transaction(async (transaction) => {
      // A concurrent claim would not see how many endpoints of an organisation this one takes.
      if (!(await tryAdvisoryLock(transaction, 'webhook-claims'))) return [];
      const values = [now, maxOfOrganisation, limit, token, leaseMs, maxOfHost];
      return transaction.run<{ id: string }>(claimEndpoints, values);
    });
    const found = await Promise.all(rows.map(async ({ id }) => this.endpoints.find(undefined, id)));
    return found.filter((endpoint) => endpoint !== undefined);
  }

  /**
   * Stores progress and attempts, and renews the lease.
   *
   * @param leaseMs undefined releases the endpoint
   * @returns false if the lease was lost or the endpoint was changed; nothing is stored then
   */
  async store(
    { id, token, revision }: EndpointLease,
    { position, attempts, failingSince, nextAttemptAt, disabled, made, maxStored }: DispatchProgress,
    leaseMs: number | undefined,
    executor: Executor = this.database,
  ): Promise<boolean> {
    const rows = await executor.run(storeProgress, [
      id,
      token,
      revision,
      JSON.stringify(position),
      attempts,
      failingSince,
      nextAttemptAt,
      disabled?.reason ?? null,
      disabled?.at ?? null,
      leaseMs ?? null,
      made.map(({ eventId }) => eventId),
      made.map(({ eventType }) => eventType),
      made.map(({ number }) => number),
      made.map(({ status }) => status),
      made.map(({ error }) => error),
      made.map(({ durationMs }) => durationMs),
      made.map(({ occurredAt }) => occurredAt),
      maxStored,
    ]);
    return rows.length > 0;
  }

  /** Gives an endpoint back after its progress could not be stored. */
  async release({ id, token }: Pick<EndpointLease, 'id' | 'token'>): Promise<void> {
    await translateErrors(
      this.database.manager.update(
        WebhookEndpointEntity,
        { id, leaseToken: token },
        { leaseToken: null, leaseUntil: null },
      ),
    );
  }
}
