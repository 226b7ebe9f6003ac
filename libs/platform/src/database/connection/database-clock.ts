import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Clock } from '../../values/clock';
import { Logger } from '../../observability/logger';
import { Database } from './database';

/** How often the time of the database is read. */
const READ_INTERVAL_MS = 10_000;
/** A reading that took longer is too inexact. */
const MAX_ROUND_TRIP_MS = 1_000;
/** A difference of the machine's clock that is reported. */
const REPORTED_DIFFERENCE_MS = 2_000;

const READ_TIME = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS time';

/**
 * The clock of PostgreSQL, which all instances share, whatever the clocks of their machines show. Its time is read every
 * ten seconds; between two readings the monotonic clock of the process goes on. Before the first reading, and in a
 * process that has never reached the database, it is the machine's clock.
 */
@Injectable()
export class DatabaseClock implements Clock, OnModuleInit, OnApplicationShutdown {
  /** What is added to the monotonic clock. */
  private offsetMs: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private hasReported = false;

  constructor(
    @Inject(Database) private readonly database: { manager: Pick<EntityManager, 'query'> },
    @Inject(Logger) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  now(): Date {
    return this.offsetMs === undefined ? new Date() : new Date(performance.now() + this.offsetMs);
  }

  async onModuleInit(): Promise<void> {
    await this.read();
    this.timer = setInterval(() => void this.read(), READ_INTERVAL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Reads the time of the database. Without an answer the clock goes on as before. Never fails. */
  async read(): Promise<void> {
    const before = performance.now();
    try {
      const [row] = await this.database.manager.query<{ time: number }[]>(READ_TIME);
      const roundTripMs = performance.now() - before;
      if (!row || roundTripMs > MAX_ROUND_TRIP_MS) return;
      const offsetMs = row.time - (before + roundTripMs / 2);
      // The answer may have been given at any time in between: what is not known to be wrong stays as it is.
      if (this.offsetMs === undefined || Math.abs(offsetMs - this.offsetMs) > roundTripMs / 2)
        this.offsetMs = offsetMs;
      this.report();
    } catch {
      // The readiness check reports a database that does not answer.
    }
  }

  /** Logs that the machine's clock is wrong, and that it is right again. */
  private report(): void {
    const seconds = Math.round((Date.now() - this.now().getTime()) / 1_000);
    const isWrong = Math.abs(seconds) * 1_000 >= REPORTED_DIFFERENCE_MS;
    if (isWrong && !this.hasReported)
      this.logger.warn(
        `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the database, which is used instead. Synchronize both with NTP.`,
      );
    this.hasReported = isWrong;
  }
}
