import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { Batcher, type BatchLimits } from './batcher';

/**
 * Starts concurrent operations as one cohort, so that the batches they pass through later fill.
 *
 * The next cohort starts when all operations of the running one have ended or left it, when the running one is slow, or
 * when the next one is full. Each operation ends on its own.
 */
export class CohortScheduler {
  private readonly cohorts: Batcher<() => Promise<void>, void>;
  private readonly membership = new AsyncLocalStorage<() => void>();

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

  /** Runs `operation` as soon as its cohort starts, in the asynchronous context of the caller, and settles as it does. */
  async run<Result>(operation: () => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const member = async () =>
        new Promise<void>((leave) => {
          this.membership.run(leave, operation).then(resolve, reject).finally(leave);
        });
      // Otherwise all members would run in the context of the caller whose turn started the cohort.
      void this.cohorts.add(AsyncResource.bind(member));
    });
  }

  /** Lets the next cohort start without waiting for the operation that calls this. Without effect outside of one. */
  leave(): void {
    this.membership.getStore()?.();
  }
}
