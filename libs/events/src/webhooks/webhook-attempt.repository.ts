import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '@portage/platform';
import type { WebhookAttemptEntity } from './webhook-attempt.entity';
import type { NewWebhookAttempt } from './webhook-dispatch.repository';

/** A stored attempt. `occurredAt` is PostgreSQL's text. */
export type StoredWebhookAttempt = Omit<WebhookAttemptEntity, 'endpointId'>;

const listAttempts: Statement = {
  name: 'list-webhook-attempts',
  text: `
    SELECT id, event_id, event_type, number, status, error, duration_ms,
      occurred_at
    FROM webhook_attempt WHERE endpoint_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
};

const insertAttempt: Statement = {
  name: 'insert-webhook-attempt',
  text: `
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

/** The largest bigint: before the first row of a list that is read backwards. */
const MAX_ID = '9223372036854775807';

/** The attempts to deliver events, of the last days. */
@Injectable()
export class WebhookAttemptRepository {
  constructor(private readonly database: Database) {}

  /** Up to `rows` attempts of an endpoint before the attempt `before`, newest first. */
  async list(endpointId: string, before: string | undefined, rows: number): Promise<StoredWebhookAttempt[]> {
    return this.database.run<StoredWebhookAttempt>(listAttempts, [endpointId, before ?? MAX_ID, rows]);
  }

  /** Stores the attempt of a test. */
  async insert(endpointId: string, attempt: NewWebhookAttempt): Promise<void> {
    const { eventId, eventType, number, status, error, durationMs, occurredAt } = attempt;
    const values = [endpointId, eventId, eventType, number, status, error, durationMs, occurredAt];
    await this.database.run(insertAttempt, values);
  }

  /** Erases up to `limit` attempts from before a time. Returns their number. */
  async erase(before: Date, limit: number): Promise<number> {
    return (await this.database.run(eraseAttempts, [before, limit])).length;
  }
}
