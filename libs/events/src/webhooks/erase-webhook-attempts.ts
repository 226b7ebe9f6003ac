import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK } from '@portage/platform';
import { WebhookAttemptRepository } from './webhook-attempt.repository';

/** Attempts that are erased in one statement. */
const BATCH_SIZE = 5_000;

/** Time for which attempts are stored. */
const RETENTION_MS = 7 * 86_400_000;

/** Erases the attempts to deliver webhooks that are older than a week. Safe to run in several workers at once. */
@Injectable()
export class EraseWebhookAttempts {
  constructor(
    private readonly attempts: WebhookAttemptRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @returns the number of erased attempts */
  async run(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    for (let total = 0; ;) {
      const count = await this.attempts.erase(before, BATCH_SIZE);
      total += count;
      if (count < BATCH_SIZE) return total;
    }
  }
}
