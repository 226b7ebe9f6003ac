import type { Clock } from '../src/clock';

/** A clock that advances only by sleeping, and then immediately. */
export class ManualClock implements Clock {
  time = 1_000_000;
  readonly sleeps: number[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    this.time += ms;
    return Promise.resolve();
  }
}
