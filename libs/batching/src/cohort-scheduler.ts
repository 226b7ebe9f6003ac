import { AsyncResource } from 'node:async_hooks';
import { Batcher, type BatchLimits } from './batcher';

/**
 * Starts concurrent operations as one cohort, so that the batches they pass through later fill.
 *
 * The next cohort starts when all operations of the running one have ended or left it, when the running one is slow, or
 * when the next one is full. Each operation ends on its own.
 */
export class CohortScheduler {
  private readonly cohorts: Batcher<() => Promise<void>, void>;
  private readonly members = new Map<string, () => void>();

  constructor(limits: Pick<BatchLimits<unknown>, 'maxSize' | 'slowAfterMs'>) {
    const { maxSize, slowAfterMs } = limits;
    this.cohorts = new Batcher<() => Promise<void>, void>(
      async (members) => {
        await Promise.all(members.map(async (member) => member()));
        return [];
      },
      { maxSize, slowAfterMs, maxConcurrent: Infinity },
    );
  }

  /**
   * Runs `operation` as soon as its cohort starts, in the asynchronous context of the caller, and settles as it does.
   *
   * @param key the name of the operation for {@link leave}
   */
  async run<Result>(operation: () => Promise<Result>, key?: string): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const member = async () =>
        new Promise<void>((leave) => {
          if (key !== undefined) this.members.set(key, leave);
          operation()
            .then(resolve, reject)
            .finally(() => {
              if (key !== undefined && this.members.get(key) === leave) this.members.delete(key);
              leave();
            });
        });
      // Otherwise all members would run in the context of the caller whose turn started the cohort.
      void this.cohorts.add(AsyncResource.bind(member));
    });
  }

  /** Lets the next cohort start without waiting for this operation. Without effect if it does not run. */
  leave(key: string): void {
    this.members.get(key)?.();
  }
}
