import { Inject, Injectable } from '@nestjs/common';
import {
  type AuditAction,
  AuditRepository,
  type Clock,
  CLOCK,
  CONFIG,
  type Config,
  Database,
  type Executor,
  type FieldError,
  isApiKeyActor,
  PortageError,
  type RateLimit,
  RateLimits,
} from '@portage/platform';
import { buildSupplierError, ImportSupplierDirectory } from '@portage/tenants';
import { BEGINNING, type EventPosition } from '../feed/event-position';
import {
  type EndpointChange,
  type StoredWebhookEndpoint,
  WebhookEndpointRepository,
} from './webhook-endpoint.repository';
import { EventFeedRepository } from '../feed/event-feed.repository';
import type { EventType } from '../feed/event-type';
import { WebhookAttemptRepository } from './webhook-attempt.repository';
import { DEFAULT_WEBHOOK_TYPES, isWebhookEndpointId, MAX_WEBHOOK_ENDPOINTS } from './webhook-endpoint';
import { checkWebhookUrl } from './webhook-url';
import { readCursor } from '../feed/event-cursor';
import { WebhookSecrets } from './webhook-secrets';
import { createWebhookSecret } from './webhook-signature';
import { buildAttemptView, buildEndpointView } from './webhook-view';
import type { WebhookAttemptView, WebhookEndpointView, WebhookEndpointWithSecret } from './webhooks.dto';

/** Time for which a secret signs after its rotation. */
const ROTATION_MS = 24 * 3_600_000;

/** Changes of endpoints by one organisation: each resets what a dispatcher does, and has an entry in the audit. */
const CHANGES: RateLimit = {
  name: 'webhook-changes',
  maxUses: 120,
  seconds: 60,
  detail: 'Your organisation has changed webhook endpoints too often.',
};

/** An endpoint to create. */
export interface NewWebhookEndpoint {
  /** The code of the supplier. */
  import_supplier: string;
  url: string;
  types?: readonly EventType[] | null;
  description?: string | null;
}

/** A supplier's organisation, or undefined for an operator, who may change every endpoint. */
export interface EndpointManager {
  organisationId: number | undefined;
  actor: string;
}

/** Creates, shows, changes and deletes webhook endpoints, for suppliers and operators. Each change has an audit entry. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly attempts: WebhookAttemptRepository,
    private readonly feed: EventFeedRepository,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly secrets: WebhookSecrets,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates an endpoint, which gets the events from now on, once it is verified. The secret is returned here only.
   *
   * @throws Throttled; PortageError `validation_error`; `unavailable` if the operator has set no key for secrets
   */
  async create(
    { organisationId, actor }: { organisationId: number; actor: string },
    { import_supplier: code, url: text, types: requested, description = null }: NewWebhookEndpoint,
  ): Promise<WebhookEndpointWithSecret> {
    const supplier = await this.suppliers.find(organisationId, code);
    const checked = checkWebhookUrl(text, this.config);
    const errors: FieldError[] = [];
    if (!supplier) errors.push(buildSupplierError(code));
    if ('problem' in checked) errors.push({ attr: 'url', code: 'invalid', detail: checked.problem });
    if (!supplier || 'problem' in checked) throw invalid(errors);
    await this.limitChanges({ organisationId, actor });

    const url = checked.url.href;
    const types = [...new Set(requested ?? DEFAULT_WEBHOOK_TYPES)];
    const secret = createWebhookSecret();
    const sealed = this.secrets.seal(secret, supplier.id);
    const position = await this.feed.readHorizon();
    const endpoint = { supplierId: supplier.id, url, types, description, secret: sealed, actor, position };
    const id = await this.database.transaction(async (transaction) => {
      const inserted = await this.endpoints.insert(endpoint, MAX_WEBHOOK_ENDPOINTS, transaction);
      if (inserted !== undefined)
        await this.audit.record(transaction, {
          actor,
          action: 'webhook.create',
          supplier: supplier.code,
          subject: inserted,
          // The path and the query of a URL may hold a secret of the receiver.
          details: { origin: checked.url.origin, types },
        });
      return inserted;
    });
    if (id === undefined)
      throw invalid([
        {
          attr: 'import_supplier',
          code: 'too_many_webhook_endpoints',
          detail: `The supplier has ${MAX_WEBHOOK_ENDPOINTS} endpoints. Delete one that is not used.`,
        },
      ]);
    return { ...(await this.show({ organisationId }, id)), secret };
  }

  /**
   * The endpoints of a supplier, in the order of creation.
   *
   * @throws PortageError `not_found` for an unknown supplier
   */
  async list(organisationId: number, supplierCode: string): Promise<WebhookEndpointView[]> {
    const { id } = await this.suppliers.require(organisationId, supplierCode);
    const now = this.clock.now();
    return (await this.endpoints.list(id)).map((endpoint) => buildEndpointView(endpoint, now));
  }

  /** @throws PortageError `not_found` */
  async show(
    { organisationId }: Pick<EndpointManager, 'organisationId'>,
    id: string,
  ): Promise<WebhookEndpointView> {
    return buildEndpointView(await this.require(organisationId, id), this.clock.now());
  }

  /**
   * The attempts of the last week, newest first.
   *
   * @param before the id of the last attempt of the previous page
   * @throws PortageError `not_found`
   */
  async listAttempts(
    { organisationId }: Pick<EndpointManager, 'organisationId'>,
    id: string,
    { limit, before }: { limit: number; before?: string | undefined },
  ): Promise<WebhookAttemptView[]> {
    const { timeZone } = await this.require(organisationId, id);
    const attempts = await this.attempts.list(id, before, limit);
    return attempts.map((attempt) => buildAttemptView(attempt, timeZone));
  }

  /** Deletes an endpoint with its attempts. An attempt that is in flight ends by itself. @throws PortageError `not_found` */
  async delete(manager: EndpointManager, id: string): Promise<void> {
    await this.withLocked(manager, id, 'webhook.delete', async (endpoint, transaction) => {
      await this.endpoints.delete(endpoint.id, transaction);
      return {};
    });
  }

  /**
   * Gives an endpoint a new secret, which is returned here only. The secret before it signs too for 24 hours.
   *
   * @throws PortageError `not_found`
   */
  async rotateSecret(manager: EndpointManager, id: string): Promise<WebhookEndpointWithSecret> {
    const secret = createWebhookSecret();
    const until = new Date(this.clock.now().getTime() + ROTATION_MS);
    const view = await this.change(manager, id, 'webhook.rotate-secret', (endpoint) => ({
      secret: this.secrets.seal(secret, endpoint.supplierId),
      previousSecret: endpoint.secret,
      previousSecretUntil: until,
    }));
    return { ...view, secret };
  }

  /** Enables an endpoint: delivery goes on where it stopped, at once. @throws PortageError `not_found` */
  async enable(manager: EndpointManager, id: string): Promise<WebhookEndpointView> {
    return this.change(manager, id, 'webhook.enable', () => ({
      status: 'ENABLED',
      disabledReason: null,
      disabledAt: null,
    }));
  }

  /** Disables an endpoint. Events that occur meanwhile are delivered once it is enabled. @throws PortageError `not_found` */
  async disable(manager: EndpointManager, id: string): Promise<WebhookEndpointView> {
    return this.change(manager, id, 'webhook.disable', () => ({
      status: 'DISABLED',
      disabledReason: 'manual',
      disabledAt: this.clock.now(),
    }));
  }

  /**
   * Moves an endpoint to another place in the feed: everything after it is delivered, also what was delivered before.
   * The replays of a supplier are limited in number and in the events that they go back.
   *
   * @param after a cursor of the feed or of the endpoint, `beginning` or `now`
   * @throws PortageError `not_found`, `validation_error`; Throttled
   */
  async replay(manager: EndpointManager, id: string, after: string): Promise<WebhookEndpointView> {
    const { supplierId } = await this.require(manager.organisationId, id);
    const position = await this.readPosition(supplierId, after);
    if (isApiKeyActor(manager.actor)) await this.limitReplay(manager, supplierId, position);
    return this.change(manager, id, 'webhook.replay', () => ({ position }), {
      after: after === 'now' || after === 'beginning' ? after : 'cursor',
    });
  }

  /** @throws PortageError `not_found`, also for an endpoint of another organisation */
  async require(organisationId: number | undefined, id: string): Promise<StoredWebhookEndpoint> {
    const endpoint = isWebhookEndpointId(id) ? await this.endpoints.find(organisationId, id) : undefined;
    if (!endpoint) throw notFound();
    return endpoint;
  }

  private async limitReplay(
    { organisationId }: EndpointManager,
    supplierId: number,
    after: EventPosition,
  ): Promise<void> {
    const replays: RateLimit = {
      name: 'webhook-replays',
      maxUses: this.config.WEBHOOK_REPLAYS_PER_HOUR,
      seconds: 3_600,
      detail: 'Your organisation has replayed webhook events too often.',
    };
    await this.limits.take(replays, String(organisationId));
    const maxEvents = this.config.WEBHOOK_MAX_REPLAY_EVENTS;
    if (await this.feed.hasMoreThan(maxEvents, { supplierId, after }))
      throw invalid([
        {
          attr: 'after',
          code: 'replay_too_long',
          detail: `The feed has more than ${maxEvents} events after this place. Enter a later cursor, read the feed instead, or ask the operator for the replay.`,
        },
      ]);
  }

  private async limitChanges({ organisationId, actor }: EndpointManager): Promise<void> {
    if (isApiKeyActor(actor)) await this.limits.take(CHANGES, String(organisationId));
  }

  private async change(
    manager: EndpointManager,
    id: string,
    action: AuditAction,
    changeOf: (endpoint: StoredWebhookEndpoint) => EndpointChange,
    details: Record<string, unknown> = {},
  ): Promise<WebhookEndpointView> {
    await this.withLocked(manager, id, action, async (endpoint, transaction) => {
      await this.endpoints.change(endpoint, changeOf(endpoint), transaction);
      return details;
    });
    return this.show(manager, id);
  }

  /** Runs `work` on the locked endpoint, in one transaction with its audit entry. */
  private async withLocked(
    manager: EndpointManager,
    id: string,
    action: AuditAction,
    work: (endpoint: StoredWebhookEndpoint, transaction: Executor) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const { organisationId, actor } = manager;
    await this.require(organisationId, id);
    await this.limitChanges(manager);
    await this.database.transaction(async (transaction) => {
      await this.endpoints.lock(id, transaction);
      const endpoint = await this.endpoints.find(organisationId, id, transaction);
      if (!endpoint) throw notFound();
      const details = await work(endpoint, transaction);
      const { supplier, id: subject } = endpoint;
      await this.audit.record(transaction, { actor, action, supplier, subject, details });
    });
  }

  private async readPosition(supplierId: number, after: string): Promise<EventPosition> {
    if (after === 'now') return this.feed.readHorizon();
    if (after === 'beginning') return BEGINNING;
    const position = readCursor(supplierId, after);
    if (position) return position;
    throw invalid([
      {
        attr: 'after',
        code: 'invalid',
        detail:
          'Enter a cursor of the supplier: `next` of the feed, `cursor` of an endpoint, "beginning" or "now".',
      },
    ]);
  }
}

function notFound(): PortageError {
  return new PortageError('not_found', 'There is no such webhook endpoint.');
}

function invalid(errors: FieldError[]): PortageError {
  return new PortageError('validation_error', 'The request is not valid.', { errors });
}
