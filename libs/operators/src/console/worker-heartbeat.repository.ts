import { Injectable } from '@nestjs/common';
import { Database, type Executor, translateErrors } from '@portage/platform';
import { WorkerHeartbeatEntity } from './worker-heartbeat.entity';

/** A worker process as it is stored. */
export interface StoredWorker<Report> extends Omit<WorkerHeartbeatEntity, 'report'> {
  /** Seconds since the last report, on the clock of the database. */
  age: number;
  report: Report;
}

/** The heartbeats of workers: one small row for each, renewed every few seconds. */
@Injectable()
export class WorkerHeartbeatRepository {
  constructor(private readonly database: Database) {}

  /** Stores the report of a worker, and removes workers that were lost a day ago. */
  async beat(worker: Omit<WorkerHeartbeatEntity, 'seenAt' | 'report'> & { report: object }): Promise<void> {
    await this.database.transaction(async ({ manager }) => {
      await manager
        .createQueryBuilder()
        .delete()
        .from(WorkerHeartbeatEntity)
        .where(`seen_at < now() - interval '1 day'`)
        .execute();
      await manager.upsert(WorkerHeartbeatEntity, { ...worker, seenAt: () => 'now()' }, ['id']);
    });
  }

  /** Removes a worker that stops. */
  async remove(id: string): Promise<void> {
    await translateErrors(this.database.manager.delete(WorkerHeartbeatEntity, { id }));
  }

  /** Up to `rows` workers, those that were seen last first. */
  async list<Report>(rows: number, { manager }: Executor = this.database): Promise<StoredWorker<Report>[]> {
    const { entities, raw } = await translateErrors(
      manager
        .createQueryBuilder(WorkerHeartbeatEntity, 'worker')
        .addSelect('extract(epoch FROM now() - worker.seenAt)::float8', 'age')
        .orderBy('worker.seenAt', 'DESC')
        .limit(rows)
        .getRawAndEntities<{ age: number }>(),
    );
    return entities.map(({ report, ...worker }, index) => ({
      ...worker,
      report: report as Report,
      age: raw[index]?.age ?? 0,
    }));
  }
}
