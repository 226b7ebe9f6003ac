import { Throttled } from './throttled';

/** Maximum number of attempts of one subject that wait for their turn in one process. */
const MAX_WAITING = 200;

/**
 * Runs the attempts of one subject one after the other, so that of those that are counted and not judged yet there is at
 * most one in each process. Attempts of different subjects do not wait for each other.
 */
export class Turns {
  private readonly queues = new Map<string, { last: Promise<unknown>; count: number }>();

  /** @param detail the sentence that a client reads if too many attempts wait already */
  constructor(private readonly detail: string) {}

  /** @throws Throttled if too many attempts of the subject wait already */
  async run<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(subject) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > MAX_WAITING) throw new Throttled(this.detail, 1_000);
    this.queues.set(subject, queue);
    queue.count += 1;
    const turn = queue.last.then(work);
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) this.queues.delete(subject);
    }
  }
}
