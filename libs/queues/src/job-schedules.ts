import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { QueueBackend, withTimeout } from './queue-backend';
import { type Schedule, SCHEDULES } from './schedules';

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
    const isThere = async ({ name, pattern }: Schedule) =>
      (await withTimeout(limit, queue.getJobScheduler(name)))?.pattern === pattern;
    for (const schedule of SCHEDULES) {
      if (await isThere(schedule)) continue;
      missing += 1;
      const { name, pattern } = schedule;
      try {
        await withTimeout(limit, queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, { name, data: {} }));
      } catch (error) {
        // On PostgreSQL only one of two workers that set it up at once succeeds.
        if (!(await isThere(schedule))) throw error;
      }
    }
    return missing;
  }
}
