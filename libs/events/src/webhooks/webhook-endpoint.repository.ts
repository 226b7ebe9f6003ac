import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@portage/platform';
import type { WebhookDisabledReason, WebhookStatus } from './webhook-endpoint';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity';
import type { EventPosition } from '../feed/event-position';

/** An endpoint with its supplier. Datetimes are PostgreSQL's text. */
export interface StoredWebhookEndpoint extends Omit<
  WebhookEndpointEntity,
  'claimedAt' | 'leaseToken' | 'leaseUntil' | 'supplier'
> {
  /** Code of the supplier. */
  supplier: string;
  organisationId: number;
  timeZone: string;
}

export interface NewWebhookEndpoint extends Pick<
  WebhookEndpointEntity,
  'supplierId' | 'url' | 'description' | 'secret' | 'actor' | 'position'
> {
  types: readonly string[];
}

/** A change by a request or a command. Undefined members stay as they are. */
export interface EndpointChange {
  status?: WebhookStatus;
  disabledReason?: WebhookDisabledReason | null;
  disabledAt?: Date | null;
  position?: EventPosition;
  secret?: Buffer;
  previousSecret?: Buffer | null;
  previousSecretUntil?: Date | null;
}

const COLUMNS = `endpoint.id, endpoint.supplier_id, supplier.code AS supplier,
  supplier.organisation_id, supplier.time_zone, endpoint.url, endpoint.types,
  endpoint.description, endpoint.secret, endpoint.previous_secret,
  endpoint.previous_secret_until, endpoint.actor, endpoint.created_at,
  endpoint.status, endpoint.disabled_reason, endpoint.disabled_at,
  endpoint.verified_at, endpoint.revision, endpoint.position, endpoint.attempts, endpoint.failing_since,
  endpoint.next_attempt_at`;

const lockSupplier: Statement = {
  name: 'lock-supplier-for-webhooks',
  text: 'SELECT id FROM import_supplier WHERE id = $1 FOR NO KEY UPDATE',
};

const insertEndpoint: Statement = {
  name: 'insert-webhook-endpoint',
  text: `
    INSERT INTO webhook_endpoint (supplier_id, url, types, description, secret, actor, position)
    SELECT $1, $2, $3, $4, $5, $6, $7
    WHERE (SELECT count(*) FROM webhook_endpoint WHERE supplier_id = $1) < $8
    RETURNING id`,
};

const findEndpoint: Statement = {
  name: 'find-webhook-endpoint',
  text: `
    SELECT ${COLUMNS} FROM webhook_endpoint endpoint
    JOIN import_supplier supplier ON supplier.id = endpoint.supplier_id
    WHERE endpoint.id = $1 AND ($2::integer IS NULL OR supplier.organisation_id = $2)`,
};

const listEndpoints: Statement = {
  name: 'list-webhook-endpoints',
  text: `
    SELECT ${COLUMNS} FROM webhook_endpoint endpoint
    JOIN import_supplier supplier ON supplier.id = endpoint.supplier_id
    WHERE endpoint.supplier_id = $1 ORDER BY endpoint.id`,
};

const listAllEndpoints: Statement = {
  name: 'list-all-webhook-endpoints',
  text: `
    SELECT ${COLUMNS} FROM webhook_endpoint endpoint
    JOIN import_supplier supplier ON supplier.id = endpoint.supplier_id
    WHERE endpoint.id > $1 ORDER BY endpoint.id LIMIT $2`,
};

const lockEndpoint: Statement = {
  name: 'lock-webhook-endpoint',
  text: 'SELECT id FROM webhook_endpoint WHERE id = $1 FOR UPDATE',
};

const changeEndpoint: Statement = {
  name: 'change-webhook-endpoint',
  // The lease stays: the dispatcher that holds it notices the new revision and stops, and no other one sends meanwhile.
  text: `
    UPDATE webhook_endpoint SET revision = revision + 1, status = $2, disabled_reason = $3, disabled_at = $4,
      position = $5, secret = $6, previous_secret = $7, previous_secret_until = $8,
      attempts = 0, failing_since = NULL, next_attempt_at = NULL
    WHERE id = $1`,
};

const markVerified: Statement = {
  name: 'mark-webhook-endpoint-verified',
  text: 'UPDATE webhook_endpoint SET verified_at = $2 WHERE id = $1',
};

const deleteEndpoint: Statement = {
  name: 'delete-webhook-endpoint',
  text: `
    WITH attempts AS (
      DELETE FROM webhook_attempt WHERE id = ANY(ARRAY(
        SELECT id FROM webhook_attempt WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2))
    )
    DELETE FROM webhook_endpoint WHERE id = $1`,
};

/** Webhook endpoints as suppliers and operators manage them. */
@Injectable()
export class WebhookEndpointRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a new endpoint.
   *
   * @param executor a transaction: the supplier is locked, so that concurrent requests cannot exceed the limit
   * @returns its id; undefined if the supplier has the maximum of endpoints
   */
  async insert(
    { supplierId, url, types, description, secret, actor, position }: NewWebhookEndpoint,
    maxEndpoints: number,
    executor: Executor,
  ): Promise<string | undefined> {
    await executor.run(lockSupplier, [supplierId]);
    const rows = await executor.run<{ id: string }>(insertEndpoint, [
      supplierId,
      url,
      types,
      description,
      secret,
      actor,
      JSON.stringify(position),
      maxEndpoints,
    ]);
    return rows[0]?.id;
  }

  /** An endpoint of the organisation; of any organisation for an operator, who passes undefined. */
  async find(
    organisationId: number | undefined,
    id: string,
    executor: Executor = this.database,
  ): Promise<StoredWebhookEndpoint | undefined> {
    return (await executor.run<StoredWebhookEndpoint>(findEndpoint, [id, organisationId ?? null]))[0];
  }

  /** The endpoints of a supplier, in the order of creation. */
  async list(supplierId: number): Promise<StoredWebhookEndpoint[]> {
    return this.database.run<StoredWebhookEndpoint>(listEndpoints, [supplierId]);
  }

  /** Up to `rows` endpoints of all suppliers after `after`, in the order of creation. */
  async listAll(after: string, rows: number): Promise<StoredWebhookEndpoint[]> {
    return this.database.run<StoredWebhookEndpoint>(listAllEndpoints, [after, rows]);
  }

  /** Locks an endpoint until the end of the transaction, so that what is read then stays. */
  async lock(id: string, executor: Executor): Promise<void> {
    await executor.run(lockEndpoint, [id]);
  }

  /** Changes an endpoint that was locked and read. Failed attempts are forgotten: the next one is made at once. */
  async change(endpoint: StoredWebhookEndpoint, change: EndpointChange, executor: Executor): Promise<void> {
    const changed = { ...endpoint, ...change };
    await executor.run(changeEndpoint, [
      endpoint.id,
      changed.status,
      changed.disabledReason,
      changed.disabledAt,
      JSON.stringify(changed.position),
      changed.secret,
      changed.previousSecret,
      changed.previousSecretUntil,
    ]);
  }

  /** Stores that the receiver has answered a challenge. */
  async markVerified(id: string, at: Date, executor: Executor): Promise<void> {
    await executor.run(markVerified, [id, at]);
  }

  /** Deletes an endpoint with its attempts. @param maxAttempts the attempts that an endpoint has at most */
  async delete(id: string, maxAttempts: number, executor: Executor): Promise<void> {
    await executor.run(deleteEndpoint, [id, maxAttempts]);
  }
}
