import { Batcher, type BatchLimits } from './batcher';

/**
 * Starts concurrent operations as one cohort, so that the batches they pass through later fill.
 *
 * The next cohort starts when all operations of the running one have ended or left it, when the running one is slow, or
 * when the next one is full. Each operation ends on its own.
 */
export class CohortScheduler {
  private readonly cohorts: Batcher<Member, void>;
  private readonly members = new Map<string, Member>();

  constructor(limits: Pick<BatchLimits<unknown>, 'maxSize' | 'slowAfterMs'>) {
    const { maxSize, slowAfterMs } = limits;
    this.cohorts = new Batcher<Member, void>(
      async (members) => {
        for (const { start } of members) start();
        await Promise.all(members.map(async ({ left }) => left));
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
    const member = new Member();
    void this.cohorts.add(member);
    await member.started;
    if (key !== undefined) this.members.set(key, member);
    try {
      return await operation();
    } finally {
      if (key !== undefined && this.members.get(key) === member) this.members.delete(key);
      member.leave();
    }
  }

  /** Lets the next cohort start without waiting for this operation. Without effect if it does not run. */
  leave(key: string): void {
    this.members.get(key)?.leave();
  }
}

/** The place of one operation in a cohort. */
class Member {
  start!: () => void;
  leave!: () => void;
  readonly started = new Promise<void>((resolve) => {
    this.start = resolve;
  });
  readonly left = new Promise<void>((resolve) => {
    this.leave = resolve;
  });
}
