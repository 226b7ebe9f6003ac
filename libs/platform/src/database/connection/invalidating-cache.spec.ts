import type { ChangeFeed } from './change-feed';
import { InvalidatingCache } from './invalidating-cache';

/** A change feed that the test controls. */
class FakeChangeFeed {
  isListening = true;
  private readonly listeners: (() => void)[] = [];

  onChange(_table: string, listener: () => void): void {
    this.listeners.push(listener);
  }

  announceChange(): void {
    for (const listener of this.listeners) listener();
  }
}

const LIFETIME_MS = 30_000;

const newCache = <Value>(
  feed: FakeChangeFeed,
  load: (key: string) => Promise<Value>,
  lifetimeMs = LIFETIME_MS,
) => new InvalidatingCache(feed as unknown as ChangeFeed, 'api_key', lifetimeMs, load);

/** Returns how many times it was called with the key. */
const countingLoad = () => {
  const times = new Map<string, number>();
  return jest.fn((key: string) => {
    times.set(key, (times.get(key) ?? 0) + 1);
    return Promise.resolve(times.get(key));
  });
};

describe('the cache of suppliers and API keys', () => {
  it('loads a value once', async () => {
    const load = countingLoad();
    const cache = newCache(new FakeChangeFeed(), load);
    for (const key of ['a', 'a', 'b', 'a']) expect(await cache.get(key)).toBe(1);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('returns a cached value without a promise', async () => {
    const cache = newCache(new FakeChangeFeed(), countingLoad());
    const first = cache.get('a');
    expect(first).toBeInstanceOf(Promise);
    await first;
    expect(cache.get('a')).toBe(1);
  });

  it('loads it again after a change', async () => {
    const feed = new FakeChangeFeed();
    const cache = newCache(feed, countingLoad());
    await cache.get('a');
    feed.announceChange();
    expect(await cache.get('a')).toBe(2);
  });

  it('does not store a value that was being loaded during a change', async () => {
    const feed = new FakeChangeFeed();
    const answers: ((value: string) => void)[] = [];
    const load = () => new Promise<string>((resolve) => answers.push(resolve));
    const cache = newCache(feed, load);
    const early = cache.get('a');
    feed.announceChange();
    answers[0]?.('before the change');
    expect(await early).toBe('before the change');
    const late = cache.get('a');
    answers[1]?.('after the change');
    expect(await late).toBe('after the change');
    expect(await cache.get('a')).toBe('after the change');
  });

  it('is bypassed while the feed does not listen', async () => {
    const feed = new FakeChangeFeed();
    const cache = newCache(feed, countingLoad());
    await cache.get('a');
    feed.isListening = false;
    expect([await cache.get('a'), await cache.get('a')]).toEqual([2, 3]);
  });

  it('does not use a value after its lifetime', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const cache = newCache(new FakeChangeFeed(), countingLoad());
      await cache.get('a');
      now.mockReturnValue(29_999);
      expect(await cache.get('a')).toBe(1);
      now.mockReturnValue(30_000);
      expect(await cache.get('a')).toBe(2);
    } finally {
      now.mockRestore();
    }
  });

  it('is disabled by a lifetime of 0', async () => {
    const cache = newCache(new FakeChangeFeed(), countingLoad(), 0);
    expect([await cache.get('a'), await cache.get('a')]).toEqual([1, 2]);
  });

  it('does not store a rejection', async () => {
    const load = jest.fn().mockRejectedValueOnce(new Error('unavailable')).mockResolvedValue('loaded');
    const cache = newCache(new FakeChangeFeed(), load);
    await expect(cache.get('a')).rejects.toThrow('unavailable');
    expect(await cache.get('a')).toBe('loaded');
  });

  it('holds at most 10,000 keys', async () => {
    const load = countingLoad();
    const cache = newCache(new FakeChangeFeed(), load);
    for (let key = 0; key <= 10_000; key += 1) await cache.get(String(key));
    expect(await cache.get('10000')).toBe(1);
    expect(await cache.get('0')).toBe(2);
  });
});
