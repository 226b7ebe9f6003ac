import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement, translateErrors } from '@portage/platform';
import { WorkerHeartbeatEntity } from './worker-heartbeat.entity';

/** A worker process as it is stored. */
export interface StoredWorker<Report> {
  id: string;
  host: string;
  release: string;
  startedAt: string;
  seenAt: string;
  /** Seconds since the last report, on the clock of the database. */
  age: number;
  report: Report;
}

const beat: Statement = {
  name: 'worker-heartbeat',
  // Workers that were lost are removed by any other one, a day later.
  text: `
    WITH removed AS (DELETE FROM worker_heartbeat WHERE seen_at < now() - interval '1 day' AND id <> $1)
    INSERT INTO worker_heartbeat (id, host, release, started_at, report) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), report = excluded.report`,
};

const list: Statement = {
  name: 'list-worker-heartbeats',
  text: `
    SELECT id, host, release, started_at, seen_at,
      extract(epoch FROM now() - seen_at)::float8 AS age, report
    FROM worker_heartbeat ORDER BY seen_at DESC LIMIT $1`,
};

/** The heartbeats of workers: one small row for each, renewed every few seconds. */
@Injectable()
export class WorkerHeartbeatRepository {
  constructor(private readonly database: Database) {}

  /** Stores the report of a worker. */
  async beat(worker: {
    id: string;
    host: string;
    release: string;
    startedAt: Date;
    report: unknown;
  }): Promise<void> {
    const { id, host, release, startedAt, report } = worker;
    await this.database.run(beat, [id, host, release, startedAt, JSON.stringify(report)]);
  }

  /** Removes a worker that stops. */
  async remove(id: string): Promise<void> {
    await translateErrors(this.database.manager.delete(WorkerHeartbeatEntity, { id }));
  }

  /** Up to `rows` workers, those that were seen last first. */
  async list<Report>(rows: number, executor: Executor = this.database): Promise<StoredWorker<Report>[]> {
    return executor.run<StoredWorker<Report>>(list, [rows]);
  }
}
