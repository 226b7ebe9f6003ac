import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type Statement, translateErrors } from '@portage/platform';
import { LessThan, Repository } from 'typeorm';
import { WebhookAttemptEntity } from './webhook-attempt.entity';
import type { NewWebhookAttempt } from './webhook-dispatch.repository';

const insertAttempt: Statement = {
  name: 'insert-webhook-attempt',
  text: `
    WITH dropped AS (
      DELETE FROM webhook_attempt WHERE id = ANY(ARRAY(
        SELECT id FROM webhook_attempt WHERE endpoint_id = $1 ORDER BY id DESC OFFSET $9 LIMIT 10))
    )
    INSERT INTO webhook_attempt (endpoint_id, event_id, event_type, number, status, error, duration_ms, occurred_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

const eraseAttempts: Statement = {
  name: 'erase-webhook-attempts',
  text: `
    DELETE FROM webhook_attempt WHERE id IN (
      SELECT id FROM webhook_attempt WHERE occurred_at < $1 ORDER BY occurred_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING id`,
};

/** The attempts to deliver events, of the last days. */
@Injectable()
export class WebhookAttemptRepository {
  constructor(
    @InjectRepository(WebhookAttemptEntity) private readonly attempts: Repository<WebhookAttemptEntity>,
    private readonly database: Database,
  ) {}

  /** Up to `rows` attempts of an endpoint before the attempt `before`, newest first. */
  async list(endpointId: string, before: string | undefined, rows: number): Promise<WebhookAttemptEntity[]> {
    const where = before === undefined ? { endpointId } : { endpointId, id: LessThan(before) };
    return translateErrors(this.attempts.find({ where, order: { id: 'DESC' }, take: rows }));
  }

  /** Stores the attempt of a test or a challenge, and deletes the oldest ones beyond `maxStored`. */
  async insert(endpointId: string, attempt: NewWebhookAttempt, maxStored: number): Promise<void> {
    const { eventId, eventType, number, status, error, durationMs, occurredAt } = attempt;
    const values = [endpointId, eventId, eventType, number, status, error, durationMs, occurredAt, maxStored];
    await this.database.run(insertAttempt, values);
  }

  /** Erases up to `limit` attempts from before a time. Returns their number. */
  async erase(before: Date, limit: number): Promise<number> {
    return (await this.database.run(eraseAttempts, [before, limit])).length;
  }
}
