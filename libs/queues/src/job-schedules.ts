import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { QueueBackend, within } from './queue-backend';
import { SCHEDULES } from './schedules';

/** The job schedulers of BullMQ behind SCHEDULES. Each time has one job, however many workers ask for it. */
@Injectable()
export class JobSchedules {
  constructor(
    private readonly backend: QueueBackend,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sets up those that are missing or were changed: at the start, and again when the queue has lost them.
   *
   * @returns how many there were to set up
   * @throws when the queue cannot be reached
   */
  async ensure(): Promise<number> {
    const queue = this.backend.queue('maintenance');
    const limit = this.config.ENQUEUE_TIMEOUT_MS * 10;
    let missing = 0;
    for (const { name, pattern } of SCHEDULES) {
      const existing = await within(limit, queue.getJobScheduler(name));
      if (existing?.pattern === pattern) continue;
      missing += 1;
      await within(limit, queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, { name, data: {} }));
    }
    return missing;
  }
}
