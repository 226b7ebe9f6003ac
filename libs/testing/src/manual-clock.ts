/** A clock that stands still until a test moves it. */
export class ManualClock {
  private time: number;

  constructor(start: Date | number | string = Date.now()) {
    this.moveTo(start);
  }

  now(): Date {
    return new Date(this.time);
  }

  moveTo(moment: Date | number | string): void {
    this.time = new Date(moment).getTime();
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
