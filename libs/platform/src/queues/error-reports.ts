import type { Logger } from '../observability/logger';

/** Interval in which an error is logged once. */
const INTERVAL_MS = 60_000;

/**
 * Logs the errors of queues and workers. While their backend is away, each of them reports the same error about every
 * second. The first one is logged, and then the number of the others at the end of each interval.
 */
export class ErrorReports {
  /** The number of repetitions in this interval. */
  private readonly repetitions = new Map<string, { code: string; count: number }>();
  private readonly reported = new WeakSet<Error>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  report(message: string, error: Error, queue?: string): void {
    // Queues and workers that share a connection all pass on its errors.
    if (this.reported.has(error)) return;
    this.reported.add(error);
    const code = 'code' in error ? String(error.code) : error.name;
    const key = `${code} ${error.message}`;
    const known = this.repetitions.get(key);
    if (known) {
      known.count += 1;
      return;
    }
    this.repetitions.set(key, { code, count: 0 });
    this.timer ??= setInterval(() => {
      this.summarize();
    }, INTERVAL_MS).unref();
    this.logger.warn(message, { error, ...(queue && { queue }) });
  }

  /** Logs the numbers of the current interval. */
  stop(): void {
    this.summarize();
    clearInterval(this.timer);
  }

  private summarize(): void {
    for (const [key, { code, count }] of this.repetitions) {
      if (count === 0) this.repetitions.delete(key);
      else {
        this.logger.warn('An error of the queues has been repeated.', { code, count });
        this.repetitions.set(key, { code, count: 0 });
      }
    }
    if (this.repetitions.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
