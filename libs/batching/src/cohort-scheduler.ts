import { Batcher, type BatchLimits } from './batcher';

/**
 * Lets those that come meanwhile set out together. Work that passes through several {@link Batcher} then meets in each
 * of them, where it would come in dribs and drabs; nobody waits for more than the group before.
 *
 * Each ends when its own work ends. A group with slow members does not hold up the next one.
 */
export class CohortScheduler {
  private readonly batches: Batcher<() => Promise<void>, void>;

  constructor(limits: Pick<BatchLimits<unknown>, 'maxSize' | 'slowAfterMs'>) {
    this.batches = new Batcher<() => Promise<void>, void>(
      async (members) => {
        await Promise.all(members.map(async (member) => member()));
        return [];
      },
      { ...limits, maxConcurrent: Infinity },
    );
  }

  /** Does `work` once its group sets out, and settles as it does. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      void this.batches.add(async () => work().then(resolve, reject));
    });
  }
}
