import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { deleteOldest, translateErrors } from '@portage/platform';
import { LessThan, Repository } from 'typeorm';
import { WebhookAttemptEntity } from './webhook-attempt.entity';
import type { NewWebhookAttempt } from './webhook-dispatch.repository';

/** The oldest attempts that are deleted with an added one. */
const MAX_DROPPED = 10;

/** The attempts to deliver events, of the last days. */
@Injectable()
export class WebhookAttemptRepository {
  constructor(
    @InjectRepository(WebhookAttemptEntity) private readonly attempts: Repository<WebhookAttemptEntity>,
  ) {}

  /** Up to `rows` attempts of an endpoint before the attempt `before`, newest first. */
  async list(endpointId: string, before: string | undefined, rows: number): Promise<WebhookAttemptEntity[]> {
    const where = before === undefined ? { endpointId } : { endpointId, id: LessThan(before) };
    return translateErrors(this.attempts.find({ where, order: { id: 'DESC' }, take: rows }));
  }

  /** Stores the attempt of a test or a challenge, and deletes the oldest ones beyond `maxStored`. */
  async insert(endpointId: string, attempt: NewWebhookAttempt, maxStored: number): Promise<void> {
    const oldest = await translateErrors(
      this.attempts.find({
        select: { id: true },
        where: { endpointId },
        order: { id: 'DESC' },
        skip: maxStored,
        take: MAX_DROPPED,
      }),
    );
    if (oldest.length > 0) await translateErrors(this.attempts.delete(oldest.map(({ id }) => id)));
    const occurredAt = attempt.occurredAt.toISOString();
    await translateErrors(this.attempts.insert({ ...attempt, endpointId, occurredAt }));
  }

  /** Erases up to `limit` attempts from before a time. Returns their number. */
  async erase(before: Date, limit: number): Promise<number> {
    return deleteOldest(this.attempts.manager, WebhookAttemptEntity, {
      where: 'old.occurredAt < :before',
      parameters: { before },
      orderBy: 'occurredAt',
      limit,
    });
  }
}
