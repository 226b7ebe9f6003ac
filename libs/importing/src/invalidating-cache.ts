import type { AnnouncedTable, ChangeFeed } from '@portage/database';

const MOST_ENTRIES = 10_000;

/**
 * Rows of a table that changes seldom and is asked for at every request. A change empties the memory at once; while
 * changes cannot be heard of, nothing is remembered.
 */
export class InvalidatingCache<Key, Value> {
  private entries = new Map<Key, { value: Value; until: number }>();
  /** Grows with each change, so that an answer that was under way during a change is not kept. */
  private generation = 0;

  constructor(
    private readonly feed: ChangeFeed,
    table: AnnouncedTable,
    private readonly seconds: number,
    private readonly load: (key: Key) => Promise<Value>,
  ) {
    feed.onChange(table, () => {
      this.generation += 1;
      this.entries = new Map();
    });
  }

  async get(key: Key): Promise<Value> {
    if (!this.feed.isListening) return this.load(key);
    const kept = this.peek(key);
    if (kept) return kept.value;
    const { generation } = this;
    const until = performance.now() + this.seconds * 1_000;
    const value = await this.load(key);
    if (generation === this.generation) {
      if (this.entries.size >= MOST_ENTRIES) this.entries = new Map();
      this.entries.set(key, { value, until });
    }
    return value;
  }

  /** What {@link get} would answer without asking, if anything: whoever need not wait saves a promise. */
  peek(key: Key): { readonly value: Value } | undefined {
    const kept = this.feed.isListening ? this.entries.get(key) : undefined;
    return kept && kept.until > performance.now() ? kept : undefined;
  }
}
