import type { UsedLimit } from '@portage/database';

/** More than so many are not kept: whoever comes from ever new addresses fills no memory. */
const MOST_ENTRIES = 10_000;

/** What one instance knows of the uses that are counted, in bounded memory. */
export class CountsHere {
  private readonly spans = new Map<string, { count: number; until: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  find(key: string): UsedLimit | undefined {
    const span = this.spans.get(key);
    const milliseconds = span ? span.until - this.now() : 0;
    return span && milliseconds > 0 ? { count: span.count, milliseconds } : undefined;
  }

  /** Counts one use. The first one starts a span of `seconds`. */
  add(key: string, seconds: number): UsedLimit {
    const { count, milliseconds } = this.find(key) ?? { count: 0, milliseconds: seconds * 1_000 };
    return this.set(key, { count: count + 1, milliseconds });
  }

  /** Takes over what all instances have counted. */
  set(key: string, used: UsedLimit): UsedLimit {
    this.spans.delete(key);
    const [oldest] = this.spans.keys();
    if (oldest !== undefined && this.spans.size >= MOST_ENTRIES) this.spans.delete(oldest);
    this.spans.set(key, { count: used.count, until: this.now() + used.milliseconds });
    return used;
  }
}
