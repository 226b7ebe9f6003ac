import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  AuditRepository,
  type Clock,
  CLOCK,
  CONFIG,
  type Config,
  Database,
  type Executor,
} from '@portage/platform';
import {
  type DispatchProgress,
  type NewWebhookAttempt,
  WebhookDispatchRepository,
} from './webhook-dispatch.repository';
import { EventFeedRepository } from '../feed/event-feed.repository';
import type { EventPosition } from '../feed/event-position';
import type { StoredWebhookEndpoint } from './webhook-endpoint.repository';
import { eventsOfTypes } from '../feed/event-type';
import { nextAttemptAt } from './retry-schedule';
import { maxStoredAttempts, type WebhookDisabledReason } from './webhook-endpoint';
import { WebhookSender } from './webhook-sender';
import { buildFeedEvent, type FeedEvent } from '../feed/feed-event';
import { AttemptDelivery, type AttemptResult } from './attempt-delivery';

/** Time for which an endpoint is claimed. Longer than an attempt and a statement; renewed with each stored progress. */
export const LEASE_MS = 30_000;

/** Events that are read at a time, and deliveries that are stored at a time. A killed dispatcher repeats no more. */
const BATCH_SIZE = 100;

/** Time after which deliveries are stored, even if they are few. */
const STORE_INTERVAL_MS = 1_000;

/** Time after which an endpoint is given back, so that others that wait get their turn. */
const TURN_MS = 10_000;

/** The receiver wants no more events. */
const GONE = 410;

/** A timer fires later than it was set by a few milliseconds, which the next events make up for. */
const MAX_TIMER_DELAY_MS = 20;

const DISPATCHER = 'service:webhooks';

/** What a failed attempt changes besides the position. */
type FailureProgress = Omit<DispatchProgress, 'position' | 'made' | 'maxStored'>;

/** A claimed endpoint. */
export interface ServedEndpoint {
  endpoint: StoredWebhookEndpoint;
  leaseToken: string;
}

/**
 * Delivers the new events of one endpoint, one after the other in the order of the feed, until there are no more, one
 * fails, or its turn is over. The endpoint is at most one event ahead of its receiver: an event that fails is the next
 * one that is sent.
 */
@Injectable()
export class ServeWebhookEndpoint {
  constructor(
    private readonly feed: EventFeedRepository,
    private readonly dispatch: WebhookDispatchRepository,
    private readonly sender: WebhookSender,
    private readonly delivery: AttemptDelivery,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'WEBHOOK_EVENTS_PER_SECOND' | 'QUOTA_WEBHOOK_ATTEMPTS'>,
  ) {}

  /**
   * Serves an endpoint that was claimed, and gives it back.
   *
   * @param signal ends the turn after the attempt in flight
   * @throws DatabaseUnavailable; what was delivered since progress was stored is then delivered again
   */
  async serve({ endpoint, leaseToken }: ServedEndpoint, signal: AbortSignal): Promise<void> {
    const turn = new Turn(endpoint, leaseToken, this.dispatch, this.config, signal);
    const channel = this.sender.open(endpoint.url);
    try {
      while (turn.goesOn()) {
        const page = await this.feed.read(
          { supplierId: endpoint.supplierId, after: turn.position },
          { events: eventsOfTypes(endpoint.types), limit: BATCH_SIZE },
        );
        for (const stored of page.events) {
          await turn.keepLease();
          await turn.keepRate();
          if (!turn.goesOn()) break;
          const event = buildFeedEvent(stored, endpoint.supplier);
          const at = this.clock.now();
          const result = await this.delivery.attempt(channel, endpoint, event, at);
          if (result.error !== null) {
            await this.recordFailure(turn, event, result, at);
            return;
          }
          await turn.deliver(stored.position, attemptOf(event, turn.attempts + 1, result, at));
        }
        if (!turn.goesOn()) break;
        turn.skipTo(page.next);
        if (page.isExhausted) break;
      }
      await turn.end();
    } finally {
      channel.close();
      if (!turn.isReleased) await this.dispatch.release({ id: endpoint.id, token: leaseToken });
    }
  }

  /** Stores a failed attempt: the time of the next one, or that the endpoint is disabled, which the audit says too. */
  private async recordFailure(turn: Turn, event: FeedEvent, result: AttemptResult, at: Date): Promise<void> {
    const { endpoint } = turn;
    const attempts = turn.attempts + 1;
    const now = this.clock.now();
    const failingSince = turn.failingSince ?? at;
    const next = nextAttemptAt(attempts, failingSince, now, Math.random());
    const reason: WebhookDisabledReason | undefined =
      result.status === GONE ? 'gone' : next ? undefined : 'failing';
    const progress: FailureProgress = {
      attempts,
      failingSince,
      nextAttemptAt: reason ? null : (next ?? null),
      disabled: reason ? { reason, at: now } : null,
    };
    const attempt = attemptOf(event, attempts, result, at);
    if (!reason) {
      await turn.fail(progress, attempt);
      return;
    }
    await this.database.transaction(async (transaction) => {
      if (!(await turn.fail(progress, attempt, transaction))) return;
      await this.audit.record(transaction, {
        actor: DISPATCHER,
        action: 'webhook.disable',
        supplier: endpoint.supplier,
        subject: endpoint.id,
        details: { reason, event: event.id, attempts, status: result.status, error: result.error },
      });
    });
  }
}

/** The progress of one turn, of which deliveries are stored a batch at a time. */
class Turn {
  position: EventPosition;
  attempts: number;
  failingSince: Date | null;
  /** True once the last progress was stored, which gives the endpoint back. */
  isReleased = false;
  private made: NewWebhookAttempt[] = [];
  private isHeld = true;
  private readonly startedAt = performance.now();
  private storedAt = performance.now();
  /** The earliest time of the next event, by the rate of the endpoint. */
  private nextEventAt = this.startedAt;

  constructor(
    readonly endpoint: StoredWebhookEndpoint,
    private readonly leaseToken: string,
    private readonly dispatch: WebhookDispatchRepository,
    private readonly config: Pick<Config, 'WEBHOOK_EVENTS_PER_SECOND' | 'QUOTA_WEBHOOK_ATTEMPTS'>,
    private readonly signal: AbortSignal,
  ) {
    this.position = endpoint.position;
    this.attempts = endpoint.attempts;
    this.failingSince = endpoint.failingSince === null ? null : new Date(endpoint.failingSince);
  }

  /** False once the turn is over, or the lease was lost. */
  goesOn(): boolean {
    return this.isHeld && !this.signal.aborted && performance.now() - this.startedAt < TURN_MS;
  }

  /** Notes a delivery. It is stored with the next ones, or now if the last time was long ago. */
  async deliver(position: EventPosition, attempt: NewWebhookAttempt): Promise<void> {
    this.position = position;
    this.attempts = 0;
    this.failingSince = null;
    this.made.push(attempt);
    if (this.made.length >= BATCH_SIZE || performance.now() - this.storedAt >= STORE_INTERVAL_MS)
      await this.store({}, LEASE_MS);
  }

  /** Moves on to a place before which there is nothing to deliver. */
  skipTo(position: EventPosition): void {
    this.position = position;
  }

  /** Stores a failed attempt with all deliveries before it, and ends the turn. False if the lease was lost. */
  async fail(progress: FailureProgress, attempt: NewWebhookAttempt, executor?: Executor): Promise<boolean> {
    this.made.push(attempt);
    return this.store(progress, undefined, executor);
  }

  /** Stores what is not stored yet, and ends the turn. */
  async end(): Promise<void> {
    await this.store({}, undefined);
  }

  /** Waits until the rate of the endpoint allows the next event: a second at most. */
  async keepRate(): Promise<void> {
    const waitMs = this.nextEventAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    // Time that was not used is lost, so that no turn sends faster than the rate.
    this.nextEventAt =
      Math.max(this.nextEventAt, performance.now() - MAX_TIMER_DELAY_MS) +
      1_000 / this.config.WEBHOOK_EVENTS_PER_SECOND;
  }

  /** Renews the lease if this process was suspended or busy for long. */
  async keepLease(): Promise<void> {
    if (performance.now() - this.storedAt > LEASE_MS / 2) await this.store({}, LEASE_MS);
  }

  private async store(
    progress: Partial<DispatchProgress>,
    leaseMs: number | undefined,
    executor?: Executor,
  ): Promise<boolean> {
    if (!this.isHeld) return false;
    const { id, revision } = this.endpoint;
    const { position, attempts, failingSince, made } = this;
    this.made = [];
    this.isHeld = await this.dispatch.store(
      { id, token: this.leaseToken, revision },
      {
        position,
        attempts,
        failingSince,
        nextAttemptAt: null,
        disabled: null,
        made,
        maxStored: maxStoredAttempts(this.config),
        ...progress,
      },
      leaseMs,
      executor,
    );
    this.storedAt = performance.now();
    this.isReleased = this.isHeld && leaseMs === undefined;
    return this.isHeld;
  }
}

function attemptOf(
  { id, type }: FeedEvent,
  number: number,
  { status, error, durationMs }: AttemptResult,
  occurredAt: Date,
): NewWebhookAttempt {
  return { eventId: id, eventType: type, number, status, error, durationMs, occurredAt };
}
