import type { EntityManager } from 'typeorm';
import { DatabaseClock } from './database-clock';

const TEN_MINUTES_MS = 600_000;

/** A database whose clock is `aheadMs` ahead of that of this machine, and which answers after `answersAfterMs`. */
class OtherMachine {
  readonly manager = this as unknown as EntityManager;
  aheadMs = TEN_MINUTES_MS;
  answersAfterMs = 0;
  isAway = false;

  async query(): Promise<{ time: number }[]> {
    if (this.isAway) throw new Error('The database is away.');
    const time = Date.now() + this.aheadMs;
    jest.advanceTimersByTime(this.answersAfterMs);
    return Promise.resolve([{ time }]);
  }
}

describe('the clock of the database', () => {
  let database: OtherMachine;
  let warnings: string[];
  let clock: DatabaseClock;

  beforeEach(() => {
    jest.useFakeTimers();
    database = new OtherMachine();
    warnings = [];
    clock = new DatabaseClock(database, { warn: (message) => void warnings.push(String(message)) });
  });
  afterEach(() => {
    clock.onApplicationShutdown();
    jest.useRealTimers();
  });

  const aheadMs = () => clock.now().getTime() - Date.now();

  it('is that of the machine until the database has answered', async () => {
    database.isAway = true;
    await clock.onModuleInit();
    expect(Math.abs(aheadMs())).toBeLessThan(1_000);
  });

  it('is that of the database, also while the database is away later', async () => {
    await clock.onModuleInit();
    database.isAway = true;
    await clock.read();
    expect(Math.abs(aheadMs() - TEN_MINUTES_MS)).toBeLessThan(1_000);
  });

  it('follows a database whose clock was set', async () => {
    await clock.read();
    database.aheadMs = -TEN_MINUTES_MS;
    await clock.read();
    expect(Math.abs(aheadMs() + TEN_MINUTES_MS)).toBeLessThan(1_000);
  });

  it('does not follow an answer that took so long that it says little', async () => {
    await clock.read();
    Object.assign(database, { aheadMs: 0, answersAfterMs: 1_100 });
    await clock.read();
    expect(Math.abs(aheadMs() - TEN_MINUTES_MS)).toBeLessThan(1_000);
  });

  it('is read every ten seconds, until the program stops', async () => {
    await clock.onModuleInit();
    database.aheadMs = 0;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(aheadMs()).toBe(0);
    clock.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('goes on as before unless an answer shows that it is wrong', async () => {
    jest.advanceTimersByTime(5_000);
    await clock.read();
    database.answersAfterMs = 400;
    await clock.read();
    expect(aheadMs()).toBe(TEN_MINUTES_MS);
    database.aheadMs += 500;
    await clock.read();
    expect(aheadMs()).toBe(TEN_MINUTES_MS + 300);
  });

  it('says nothing of a clock of the machine that is nearly right', async () => {
    database.aheadMs = 1_000;
    await clock.read();
    expect(warnings).toEqual([]);
  });

  it('says once that the clock of the machine is wrong', async () => {
    await clock.read();
    expect(warnings).toHaveLength(1);
    await clock.read();
    expect(warnings).toEqual([
      'The clock of this machine is 600 s behind that of the database, which is used instead. Synchronize both with NTP.',
    ]);
  });
});
