import type { VendorOutcome } from './payment-vendor';

/** The outcomes of a minute. */
export interface VendorMinute {
  /** The beginning of the minute, ISO 8601. */
  at: string;
  verified: number;
  refused: number;
  unavailable: number;
}

const MINUTE_MS = 60_000;
const MAX_MINUTES = 60;

/** Counts the outcomes of one vendor by minute, for the last hour. */
export class OutcomeMinutes {
  private readonly minutes = new Map<number, VendorMinute>();

  add(outcome: VendorOutcome['outcome'], now: Date): void {
    const begin = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
    const minute = this.minutes.get(begin) ?? {
      at: new Date(begin).toISOString(),
      verified: 0,
      refused: 0,
      unavailable: 0,
    };
    minute[outcome] += 1;
    this.minutes.set(begin, minute);
    this.removeOld(now);
  }

  /** The minutes of the last hour that have an outcome, the oldest first. */
  read(now: Date): VendorMinute[] {
    this.removeOld(now);
    return [...this.minutes.values()].map((minute) => ({ ...minute }));
  }

  private removeOld(now: Date): void {
    for (const begin of this.minutes.keys())
      if (begin < now.getTime() - MAX_MINUTES * MINUTE_MS) this.minutes.delete(begin);
  }
}
