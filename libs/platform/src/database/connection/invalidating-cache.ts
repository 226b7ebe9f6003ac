import type { AnnouncedTable, ChangeFeed } from './change-feed';

const MAX_ENTRIES = 10_000;

/** Injection token of the lifetime of cached rows, in milliseconds. 0 disables the caches. */
export const CACHE_LIFETIME_MS = Symbol('CACHE_LIFETIME_MS');

/** Bounds how stale a row can be if an announcement of its change is lost. */
export const DEFAULT_CACHE_LIFETIME_MS = 30_000;

/**
 * Caches rows of a table that changes seldom and is read by every request. A change that is announced on the LISTEN
 * connection clears the cache. The cache is bypassed while that connection is down.
 */
export class InvalidatingCache<Key, Value> {
  private entries = new Map<Key, { value: Value; expiresAt: number }>();
  /** Incremented by each change, so that a value that was being loaded during a change is not stored. */
  private generation = 0;

  /**
   * @param tables changes of any of them clear the cache
   * @param lifetimeMs how long an entry is used at most
   */
  constructor(
    private readonly feed: ChangeFeed,
    tables: AnnouncedTable | readonly AnnouncedTable[],
    private readonly lifetimeMs: number,
    private readonly load: (key: Key) => Promise<Value>,
  ) {
    for (const table of [tables].flat())
      feed.onChange(table, () => {
        this.generation += 1;
        this.entries = new Map();
      });
  }

  /**
   * The cached value, or else a promise of the one that `load` returns. A caller on the hot path saves the promise; any
   * other caller awaits the result. A rejection of `load` is passed on and not cached.
   */
  get(key: Key): Value | Promise<Value> {
    if (!this.feed.isListening) return this.load(key);
    const entry = this.entries.get(key);
    return entry && entry.expiresAt > performance.now() ? entry.value : this.loadAndCache(key);
  }

  private async loadAndCache(key: Key): Promise<Value> {
    const { generation } = this;
    const expiresAt = performance.now() + this.lifetimeMs;
    const value = await this.load(key);
    if (generation === this.generation) {
      if (this.entries.size >= MAX_ENTRIES) this.entries = new Map();
      this.entries.set(key, { value, expiresAt });
    }
    return value;
  }
}
