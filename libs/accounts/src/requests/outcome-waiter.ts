import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { ChangeFeed, Logger } from '@portage/platform';
import { AccountRequestRepository } from './account-request.repository';

type Waiter = (outcome: unknown) => void;

/** The interval at which outcomes are polled, in milliseconds. Tests provide their own. */
export interface OutcomePolling {
  intervalMs: number;
}

/** The polling of production. */
export const outcomePolling: OutcomePolling = {
  // Polling only covers lost notifications; a second is short compared with the time that a client waits.
  intervalMs: 1_000,
};

/**
 * Waits for the outcomes that workers store. The database announces them; an outcome that is too long for a
 * notification is read from the table, and all outcomes are polled in case a notification was lost. The reads of all
 * waiting requests are one statement.
 */
@Injectable()
export class OutcomeWaiter implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Set<Waiter>>();
  private toRead = new Set<string>();
  private isReading = false;
  private pollTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly logger: Logger,
    feed: ChangeFeed,
    @Optional() private readonly polling: OutcomePolling = outcomePolling,
  ) {
    feed.onOutcome((id, outcome) => {
      if (!this.waiting.has(id)) return;
      if (outcome === undefined) this.scheduleRead([id]);
      else this.resolve(id, outcome);
    });
  }

  /**
   * Waits for the outcome of a request.
   *
   * @param mayBeFinished true if the outcome may have been stored before this call
   * @returns undefined if there was no outcome within `timeoutMs`
   */
  async waitFor(
    id: string,
    { timeoutMs, mayBeFinished }: { timeoutMs: number; mayBeFinished: boolean },
  ): Promise<{ outcome: unknown } | undefined> {
    return new Promise((resolve) => {
      const settle = (answer: { outcome: unknown } | undefined) => {
        clearTimeout(timer);
        waiters.delete(waiter);
        if (waiters.size === 0) this.waiting.delete(id);
        if (this.waiting.size === 0) clearInterval(this.pollTimer);
        resolve(answer);
      };
      const waiter: Waiter = (outcome) => {
        settle({ outcome });
      };
      const timer = setTimeout(settle, timeoutMs, undefined);
      const waiters = this.waiting.get(id) ?? new Set();
      if (this.waiting.size === 0)
        this.pollTimer = setInterval(() => {
          this.scheduleRead(this.waiting.keys());
        }, this.polling.intervalMs);
      this.waiting.set(id, waiters.add(waiter));
      if (mayBeFinished) this.scheduleRead([id]);
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.pollTimer);
  }

  private scheduleRead(ids: Iterable<string>): void {
    for (const id of ids) this.toRead.add(id);
    if (!this.isReading) void this.read();
  }

  private resolve(id: string, outcome: unknown): void {
    for (const waiter of [...(this.waiting.get(id) ?? [])]) waiter(outcome);
  }

  private async read(): Promise<void> {
    this.isReading = true;
    try {
      while (this.toRead.size > 0) {
        // Collects all notifications of one transaction first: they arrive in the same turn.
        await Promise.resolve();
        const ids = [...this.toRead];
        this.toRead = new Set();
        for (const { id, outcome } of await this.requests.findOutcomes(ids)) this.resolve(id, outcome);
      }
    } catch (error) {
      this.logger.warn('Outcomes could not be read; the next poll reads them again.', { error });
    } finally {
      this.isReading = false;
    }
  }
}
