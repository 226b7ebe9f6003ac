import { FairShares, MAX_PRIORITY } from './fair-shares';

const [A, B, C] = [1, 2, 3];

let now = 0;
let shares: FairShares;
beforeEach(() => {
  now = 5_000;
  shares = new FairShares(4, () => now);
});

const next = (organisationId: number, count: number) =>
  Array.from({ length: count }, () => shares.next(organisationId));

const BATCH = 8;

/** A queue that takes the lowest priority first, and among equal ones the first that was added. */
class SimulatedQueue {
  /** The organisation of each account that was taken. */
  readonly taken: number[] = [];
  private waiting: { organisationId: number; priority: number; weight: number }[] = [];

  add(organisationId: number, count: number): void {
    for (const priority of next(organisationId, count))
      this.waiting.push({ organisationId, priority, weight: 1 });
  }

  /** Adds jobs that stand for BATCH accounts each. */
  addUploaded(organisationId: number, count: number): void {
    for (let job = 0; job < count; job += 1)
      this.waiting.push({
        organisationId,
        priority: shares.next(organisationId, BATCH, 'bulk'),
        weight: BATCH,
      });
  }

  take(count: number): void {
    this.waiting = this.waiting.toSorted((left, right) => left.priority - right.priority);
    this.taken.push(
      ...this.waiting
        .splice(0, count)
        .flatMap(({ organisationId, weight }) => Array.from({ length: weight }, () => organisationId)),
    );
    now += 100;
    shares.observe(this.waiting[0]?.priority);
  }

  get lowestPriority(): number {
    return Math.min(...this.waiting.map(({ priority }) => priority));
  }

  countTaken(organisationId: number, last = Infinity): number {
    return this.taken.slice(-last).filter((taken) => taken === organisationId).length;
  }
}

describe('the priorities of a queue', () => {
  it('are 0 while nothing is known about the queue, so that a first job never waits behind a backlog', () => {
    expect(next(A, 20)).toEqual(Array.from({ length: 20 }, () => 0));
    shares.observe(300);
    now += 1_000;
    expect(shares.next(B)).toBe(0);
  });

  it('number the jobs of one organisation in rounds', () => {
    shares.observe();
    expect(next(A, 10)).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 4, 4]);
  });

  it('go on where the backlog of an organisation ends, also if the queue has nearly reached it', () => {
    shares.observe();
    next(A, 4);
    now += 100;
    shares.observe(2);
    expect(next(A, 2)).toEqual([3, 3]);
    expect(next(B, 2)).toEqual([1, 1]);
  });

  it('need a reading of the queue that is not older than 100 ms', () => {
    expect(shares.isReadingDue).toBe(true);
    shares.observe();
    now += 99;
    expect(shares.isReadingDue).toBe(false);
    now += 1;
    expect(shares.isReadingDue).toBe(true);
  });

  it('put an organisation without a backlog before the round that the queue has reached', () => {
    shares.observe();
    next(A, 4_000);
    now += 100;
    shares.observe(70);
    expect(shares.next(B)).toBe(69);
    expect(shares.next(A)).toBeGreaterThanOrEqual(1_000);
  });

  it('a single job waits for one round of an organisation with 50,000 jobs', () => {
    const queue = new SimulatedQueue();
    shares.observe();
    queue.add(A, 50_000);
    queue.take(1_000);
    queue.add(B, 1);
    queue.take(8);
    expect(queue.countTaken(B)).toBe(1);
  });

  it('organisations with backlogs get equal shares, whatever their order and the length of their backlogs', () => {
    const queue = new SimulatedQueue();
    shares.observe();
    queue.add(A, 5_000);
    queue.take(500);
    queue.add(B, 600);
    queue.add(C, 3_000);
    queue.take(900);
    for (const organisationId of [A, B, C]) {
      expect(queue.countTaken(organisationId, 900)).toBeGreaterThan(285);
      expect(queue.countTaken(organisationId, 900)).toBeLessThan(315);
    }
  });

  it('a job of a batch counts as its accounts: batches and single jobs get equal shares of the accounts', () => {
    const queue = new SimulatedQueue();
    shares.observe();
    queue.addUploaded(A, 500);
    queue.take(50);
    queue.add(B, 2_000);
    queue.addUploaded(C, 500);
    const before = queue.taken.length;
    queue.take(600);
    for (const organisationId of [A, B, C]) {
      const share =
        queue.countTaken(organisationId, queue.taken.length - before) / (queue.taken.length - before);
      expect(share).toBeGreaterThan(0.31);
      expect(share).toBeLessThan(0.36);
    }
  });

  it('a single job waits for one round of its own organisation that uploads a book of 100,000 accounts', () => {
    const queue = new SimulatedQueue();
    shares.observe();
    queue.addUploaded(A, 100_000 / BATCH);
    queue.take(1_000);
    expect(shares.next(A)).toBeLessThan(queue.lowestPriority);
    expect(shares.next(B)).toBeLessThan(queue.lowestPriority);
  });

  it('an organisation that adds jobs steadily does not overtake the backlog of another', () => {
    const queue = new SimulatedQueue();
    shares.observe();
    queue.add(A, 1_000);
    queue.take(100);
    for (let step = 0; step < 50; step += 1) {
      queue.add(B, 40);
      queue.take(20);
    }
    expect(queue.countTaken(A, 1_000)).toBeGreaterThan(450);
  });

  it('start again with low numbers once the queue has been empty', () => {
    shares.observe();
    next(A, 4_000);
    now += 100;
    shares.observe(990);
    now += 100;
    shares.observe();
    expect(shares.next(B)).toBe(989);
    now += 100;
    shares.observe();
    expect(next(B, 5)).toEqual([2, 2, 2, 2, 3]);
    expect(shares.next(A)).toBe(2);
  });

  it('forget the jobs of an organisation that had the queue to itself, so that it goes before the next backlog', () => {
    for (let job = 0; job < 200; job += 1) {
      now += 50;
      // Taken as soon as it was added: the queue is empty at each reading.
      if (shares.isReadingDue) shares.observe();
      shares.next(B);
    }
    now += 100;
    shares.observe();
    next(A, 400);
    now += 100;
    shares.observe(15);
    expect(shares.next(B)).toBe(14);
  });

  it('are never those of an unread queue once it was read, so that a reading shows every backlog', () => {
    shares.observe();
    for (let reading = 0; reading < 10; reading += 1) {
      now += 100;
      expect(Math.min(...next(A, 4))).toBeGreaterThan(0);
      shares.observe(1);
    }
    expect(shares.next(A)).toBe(12);
    expect(shares.next(B)).toBe(1);
  });

  it('keep their rounds when a single job with a low number returns to the queue', () => {
    shares.observe();
    next(A, 4_000);
    now += 100;
    shares.observe(500);
    now += 100;
    shares.observe(3);
    expect(shares.next(B)).toBe(499);
    expect(shares.next(A)).toBeGreaterThanOrEqual(999);
  });

  it('stay in the range of BullMQ, and still rise, in an endless backlog', () => {
    shares.observe(MAX_PRIORITY - 100);
    const rounds = Array.from({ length: 2_000 }, () => shares.next(A, 1_000));
    expect(rounds.at(-1)).toBeLessThan(MAX_PRIORITY);
    expect(rounds.at(-1)).toBeGreaterThan(rounds[1_000]!);
    expect(rounds[1_000]).toBeGreaterThan(rounds[0]!);
  });
});
