import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `work` on a timer of the process until it is stopped. The pause before the next run is random, between three
 * and five quarters of its length, so that workers that started together do not run together.
 */
export class RepeatedWork {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** @param work returns the length of the pause in milliseconds, also after a failure. Never throws. */
  start(work: (signal: AbortSignal) => Promise<number>): void {
    this.running = this.run(work);
  }

  /** Lets the current run end, and starts no further one. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(work: (signal: AbortSignal) => Promise<number>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const pauseMs = await work(signal);
      await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }
}
