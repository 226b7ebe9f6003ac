import { Injectable } from '@nestjs/common';
import { Database, type Executor, translateErrors } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { type FindManyOptions, MoreThan } from 'typeorm';
import { WebhookAttemptEntity } from './webhook-attempt.entity';
import type { WebhookDisabledReason, WebhookStatus } from './webhook-endpoint';
import { WebhookEndpointEntity } from './webhook-endpoint.entity';
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

/** The endpoint of an entity that was read with its supplier. */
function toStored({ supplier, ...endpoint }: WebhookEndpointEntity): StoredWebhookEndpoint {
  const { code, organisationId, timeZone } = supplier as ImportSupplierEntity;
  return { ...endpoint, supplier: code, organisationId, timeZone };
}

/** A time as its column has it. */
function textOf(time: Date | string | null): string | null {
  return time instanceof Date ? time.toISOString() : time;
}

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
    const { manager } = executor;
    await manager.findOne(ImportSupplierEntity, {
      select: { id: true },
      where: { id: supplierId },
      lock: { mode: 'for_no_key_update' },
    });
    if ((await manager.countBy(WebhookEndpointEntity, { supplierId })) >= maxEndpoints) return undefined;
    const values = { supplierId, url, types: [...types], description, secret, actor, position };
    const { identifiers } = await manager.insert(WebhookEndpointEntity, values);
    return (identifiers[0] as { id: string }).id;
  }

  /** An endpoint of the organisation; of any organisation for an operator, who passes undefined. */
  async find(
    organisationId: number | undefined,
    id: string,
    executor: Executor = this.database,
  ): Promise<StoredWebhookEndpoint | undefined> {
    const owner = organisationId === undefined ? {} : { supplier: { organisationId } };
    const found = await translateErrors(
      executor.manager.findOne(WebhookEndpointEntity, {
        where: { id, ...owner },
        relations: { supplier: true },
      }),
    );
    return found ? toStored(found) : undefined;
  }

  /** The endpoints of a supplier, in the order of creation. */
  async list(supplierId: number): Promise<StoredWebhookEndpoint[]> {
    return this.read({ where: { supplierId } });
  }

  /** Up to `rows` endpoints of all suppliers after `after`, in the order of creation. */
  async listAll(after: string, rows: number): Promise<StoredWebhookEndpoint[]> {
    return this.read({ where: { id: MoreThan(after) }, take: rows });
  }

  /** Locks an endpoint until the end of the transaction, so that what is read then stays. */
  async lock(id: string, executor: Executor): Promise<void> {
    await executor.manager.findOne(WebhookEndpointEntity, {
      select: { id: true },
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Changes an endpoint that was locked and read. Failed attempts are forgotten: the next one is made at once. */
  async change(endpoint: StoredWebhookEndpoint, change: EndpointChange, executor: Executor): Promise<void> {
    const { status, disabledReason, disabledAt, position, secret, previousSecret, previousSecretUntil } = {
      ...endpoint,
      ...change,
    };
    // The lease stays: the dispatcher that holds it notices the new revision and stops, and no other one sends meanwhile.
    await executor.manager.update(
      WebhookEndpointEntity,
      { id: endpoint.id },
      {
        revision: () => 'revision + 1',
        status,
        disabledReason,
        disabledAt: textOf(disabledAt),
        position,
        secret,
        previousSecret,
        previousSecretUntil: textOf(previousSecretUntil),
        attempts: 0,
        failingSince: null,
        nextAttemptAt: null,
      },
    );
  }

  /** Stores that the receiver has answered a challenge. */
  async markVerified(id: string, at: Date, executor: Executor): Promise<void> {
    const verifiedAt = at.toISOString();
    await translateErrors(executor.manager.update(WebhookEndpointEntity, { id }, { verifiedAt }));
  }

  /** Deletes an endpoint with its attempts. */
  async delete(id: string, { manager }: Executor): Promise<void> {
    await manager.delete(WebhookAttemptEntity, { endpointId: id });
    await manager.delete(WebhookEndpointEntity, { id });
  }

  private async read(options: FindManyOptions<WebhookEndpointEntity>): Promise<StoredWebhookEndpoint[]> {
    const found = await translateErrors(
      this.database.manager.find(WebhookEndpointEntity, {
        ...options,
        relations: { supplier: true },
        order: { id: 'ASC' },
      }),
    );
    return found.map(toStored);
  }
}
