import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { AccountRequestRepository, ChangeFeed } from '@portage/database';
import { Logger } from '@portage/observability';

type Waiter = (outcome: unknown) => void;

/**
 * Waits for what workers store: announced at once by the database, and asked for where it is too long for that, or
 * every OUTCOME_POLL_MS in case an announcement was missed. However many requests wait, they ask together.
 */
@Injectable()
export class Outcomes implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Set<Waiter>>();
  private announced = new Set<string>();
  private asking = false;
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly logger: Logger,
    feed: ChangeFeed,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    feed.onOutcome((id, outcome) => {
      if (!this.waiting.has(id)) return;
      if (outcome === undefined) this.ask([id]);
      else this.tell(id, JSON.parse(outcome));
    });
  }

  /**
   * Waits for the outcome of a request.
   *
   * @param mayBeThere whether it may have been stored before anybody waited
   * @returns undefined when there was none within `milliseconds`
   */
  async of(
    id: string,
    { milliseconds, mayBeThere }: { milliseconds: number; mayBeThere: boolean },
  ): Promise<{ outcome: unknown } | undefined> {
    return new Promise((resolve) => {
      const settle = (answer: { outcome: unknown } | undefined) => {
        clearTimeout(timer);
        waiters.delete(waiter);
        if (waiters.size === 0) this.waiting.delete(id);
        if (this.waiting.size === 0) clearInterval(this.poll);
        resolve(answer);
      };
      const waiter: Waiter = (outcome) => {
        settle({ outcome });
      };
      const timer = setTimeout(settle, milliseconds, undefined);
      const waiters = this.waiting.get(id) ?? new Set();
      if (this.waiting.size === 0)
        this.poll = setInterval(() => {
          this.ask(this.waiting.keys());
        }, this.config.OUTCOME_POLL_MS);
      this.waiting.set(id, waiters.add(waiter));
      if (mayBeThere) this.ask([id]);
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.poll);
  }

  private ask(ids: Iterable<string>): void {
    for (const id of ids) this.announced.add(id);
    if (!this.asking) void this.answer();
  }

  private tell(id: string, outcome: unknown): void {
    for (const waiter of [...(this.waiting.get(id) ?? [])]) waiter(outcome);
  }

  private async answer(): Promise<void> {
    this.asking = true;
    try {
      while (this.announced.size > 0) {
        // What one transaction has announced is heard in one go.
        await Promise.resolve();
        const ids = [...this.announced];
        this.announced = new Set();
        for (const { id, outcome } of await this.requests.outcomes(ids)) this.tell(id, outcome);
      }
    } catch (error) {
      this.logger.warning('Outcomes could not be asked for; asking again soon.', { error });
    } finally {
      this.asking = false;
    }
  }
}
