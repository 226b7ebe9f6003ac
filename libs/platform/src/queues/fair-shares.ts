/** BullMQ takes the lowest number first and allows numbers up to this. */
export const MAX_PRIORITY = 2 ** 21;

/**
 * The lowest round. 0 remains for jobs that are added before the queue was read. Otherwise an organisation could have a
 * backlog in round 0, which the reading does not show, before which no other can go.
 */
const LOWEST_ROUND = 1;

/** The round of the first jobs of an empty queue, so that there is one before it. */
const FIRST_ROUND = 2;

/** Time after which the position of the queue is read again, while jobs are added. */
const READ_INTERVAL_MS = 100;

/** Age at which a reading says nothing about the queue any more. */
const MAX_READING_AGE_MS = 1_000;

/** The class of a job: uploads of whole books, or everything else, for which a client may wait. */
export type JobClass = 'interactive' | 'bulk';

/**
 * Assigns the priorities of one queue, so that each organisation gets an equal share of it (start-time fair queueing).
 *
 * The priority of a job is the round in which it is due: `jobsPerRound` jobs of each organisation are in one round. The
 * first job of an organisation without a backlog is due just before the round that the queue has reached, and every
 * further one after the job before it. A job therefore waits for one round of the other organisations, however long their backlog
 * is. An organisation that is alone has the whole queue. A job that stands for many accounts counts as all of them.
 *
 * The uploads of an organisation are a class of their own, numbered as if they were another organisation. A single job
 * therefore waits for its own organisation's book no longer than for those of others. An organisation that uses both
 * classes at once has up to two shares.
 *
 * A job that is retried keeps its round, so that it is due at once. A job that starts later is not added before it is due.
 *
 * Each process numbers the jobs that it adds. All of them read the round that the queue has reached, so an organisation
 * without a backlog waits for one round whichever process it reaches. One that floods the queue through n processes has
 * up to n shares.
 */
export class FairShares {
  /** The round after the last job of each organisation and class that has a backlog. */
  private readonly nextRounds = new Map<string, number>();
  private currentRound = 0;
  private lastReading = 0;
  private readAt = -Infinity;

  /**
   * @param jobsPerRound jobs of one organisation that are taken in a row
   * @param now a monotonic time in milliseconds
   */
  constructor(
    readonly jobsPerRound: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** True if the round that the queue has reached should be read. */
  get isReadingDue(): boolean {
    return this.now() - this.readAt >= READ_INTERVAL_MS;
  }

  /** True if the last reading says something about the queue. */
  get isCurrent(): boolean {
    return this.now() - this.readAt < MAX_READING_AGE_MS;
  }

  /**
   * Stores the round that the queue has reached.
   *
   * @param round the lowest priority of the jobs that wait; undefined if none waits
   */
  observe(round?: number): void {
    // No job waits, so no organisation has a backlog. Jobs that were taken as soon as they were added must not count
    // as one: an organisation that had the queue to itself would otherwise wait behind all that is added next.
    if (round === undefined) this.nextRounds.clear();
    this.advance(round ?? 0);
  }

  private advance(round: number): void {
    // One lower reading may be due to a single job that was returned to the queue. Two in a row mean that the queue has
    // been empty since, and starts again with low numbers.
    const reached = Math.max(round, this.isCurrent ? this.lastReading : 0);
    // The jobs of organisations without a backlog are one round lower.
    if (reached < this.currentRound - 1) {
      this.nextRounds.clear();
      this.currentRound = reached;
    }
    this.currentRound = Math.max(this.currentRound, reached);
    for (const [key, next] of this.nextRounds) if (next <= this.currentRound - 1) this.nextRounds.delete(key);
    this.lastReading = round;
    this.readAt = this.now();
  }

  /**
   * The priority of the next job of an organisation. Without a current reading it is the highest, 0: few jobs are added
   * until the first reading, and none of them may wait behind a backlog.
   *
   * @param weight the accounts that the job stands for
   */
  next(organisationId: number, weight = 1, jobClass: JobClass = 'interactive'): number {
    if (!this.isCurrent) return 0;
    const key = `${organisationId} ${jobClass}`;
    const firstRound = this.currentRound === 0 ? FIRST_ROUND : Math.max(LOWEST_ROUND, this.currentRound - 1);
    const round = Math.max(firstRound, this.nextRounds.get(key) ?? 0);
    // In the second half the steps become smaller, so that the numbers of an endless backlog never run out.
    const step = Math.min(1, 2 - (2 * round) / MAX_PRIORITY);
    this.nextRounds.set(key, round + (weight * step) / this.jobsPerRound);
    return Math.floor(round);
  }
}
