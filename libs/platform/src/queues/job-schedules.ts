import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { BACKGROUND_TIMEOUT_MS } from './job-producer';
import { type Schedule, SCHEDULES } from './schedules';
import { withTimeout } from '../values/with-timeout';

/** The BullMQ job schedulers of {@link SCHEDULES}. Each due time has one job, whatever the number of workers. */
@Injectable()
export class JobSchedules {
  constructor(@InjectQueue('maintenance') private readonly queue: Queue) {}

  /**
   * Creates the schedulers that are missing or have another pattern: at the start, and after the queue has lost them.
   *
   * @returns the number of schedulers that were created
   * @throws if the queue cannot be reached
   */
  async ensure(): Promise<number> {
    let missing = 0;
    for (const schedule of SCHEDULES) {
      if (await this.exists(schedule)) continue;
      missing += 1;
      const { name, pattern } = schedule;
      try {
        await withTimeout(
          BACKGROUND_TIMEOUT_MS,
          this.queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, { name, data: {} }),
        );
      } catch (error) {
        // On PostgreSQL only one of several workers that create a scheduler at the same time succeeds.
        if (!(await this.exists(schedule))) throw error;
      }
    }
    return missing;
  }

  private async exists({ name, pattern }: Schedule): Promise<boolean> {
    const scheduler = await withTimeout(BACKGROUND_TIMEOUT_MS, this.queue.getJobScheduler(name));
    return scheduler?.pattern === pattern;
  }
}
