import { type Clock } from '../src/clock';

/** A clock that stands still until someone sleeps; then it is at once that much later. */
export class ManualClock implements Clock {
  time = 1_000_000;
  readonly slept: number[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.time += ms;
    return Promise.resolve();
  }
}
