import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type Statement, translateErrors } from '@portage/platform';
import { LessThan, Repository } from 'typeorm';
import { WebhookAttemptEntity } from './webhook-attempt.entity';
import type { NewWebhookAttempt } from './webhook-dispatch.repository';

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

  /** Stores the attempt of a test. */
  async insert(endpointId: string, { occurredAt, ...attempt }: NewWebhookAttempt): Promise<void> {
    const row = { ...attempt, endpointId, occurredAt: occurredAt.toISOString() };
    await translateErrors(this.attempts.insert(row));
  }

  /** Erases up to `limit` attempts from before a time. Returns their number. */
  async erase(before: Date, limit: number): Promise<number> {
    return (await this.database.run(eraseAttempts, [before, limit])).length;
  }
}
