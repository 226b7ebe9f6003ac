import type { UsedLimit } from './rate-limit.repository';

/** Bounds the memory that a client with many addresses can fill. */
const MAX_ENTRIES = 10_000;

/** Counts of uses in the memory of one instance. The entry that was counted longest ago is evicted first. */
export class LocalCounts {
  private readonly windows = new Map<string, { count: number; endsAt: number }>();

  /** @param now a monotonic time in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The uses in the current window, or undefined if there is none. */
  find(key: string): UsedLimit | undefined {
    const window = this.windows.get(key);
    const milliseconds = window ? window.endsAt - this.now() : 0;
    return window && milliseconds > 0 ? { count: window.count, milliseconds } : undefined;
  }

  /** Counts one use. The first one starts a window of `seconds`. */
  add(key: string, seconds: number): UsedLimit {
    const { count, milliseconds } = this.find(key) ?? { count: 0, milliseconds: seconds * 1_000 };
    return this.set(key, { count: count + 1, milliseconds });
  }

  /** Takes one use back, unless its window has ended. */
  remove(key: string): void {
    const used = this.find(key);
    if (used && used.count > 0) this.set(key, { ...used, count: used.count - 1 });
  }

  /** Replaces the local count by the shared one. */
  set(key: string, used: UsedLimit): UsedLimit {
    this.windows.delete(key);
    const [oldest] = this.windows.keys();
    if (oldest !== undefined && this.windows.size >= MAX_ENTRIES) this.windows.delete(oldest);
    this.windows.set(key, { count: used.count, endsAt: this.now() + used.milliseconds });
    return used;
  }
}
