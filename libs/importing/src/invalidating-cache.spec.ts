import type { ChangeFeed } from '@portage/database';
import { InvalidatingCache } from './invalidating-cache';

/** A change feed that hears what the test says. */
class Feed {
  isListening = true;
  private readonly listeners: (() => void)[] = [];

  onChange(_table: string, listener: () => void): void {
    this.listeners.push(listener);
  }

  change(): void {
    for (const listener of this.listeners) listener();
  }
}

const remembering = <Value>(feed: Feed, seconds: number, load: (key: string) => Promise<Value>) =>
  new InvalidatingCache(feed as unknown as ChangeFeed, 'api_key', seconds, load);
/** Answers with the number of times it was asked for the key. */
const counting = () => {
  const times = new Map<string, number>();
  return jest.fn((key: string) => {
    times.set(key, (times.get(key) ?? 0) + 1);
    return Promise.resolve(times.get(key));
  });
};

describe('what is remembered of suppliers and keys', () => {
  it('is asked for once', async () => {
    const load = counting();
    const remembered = remembering(new Feed(), 30, load);
    expect([await remembered.get('a'), await remembered.get('a'), await remembered.get('b')]).toEqual([
      1, 1, 1,
    ]);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('is returned without a promise once it is cached', async () => {
    const remembered = remembering(new Feed(), 30, counting());
    const first = remembered.get('a');
    expect(first).toBeInstanceOf(Promise);
    await first;
    expect(remembered.get('a')).toBe(1);
  });

  it('is asked for again after a change', async () => {
    const changes = new Feed();
    const remembered = remembering(changes, 30, counting());
    await remembered.get('a');
    changes.change();
    expect(await remembered.get('a')).toBe(2);
  });

  it('is not an answer that was under way during a change', async () => {
    const changes = new Feed();
    const answers: ((value: string) => void)[] = [];
    const load = () => new Promise<string>((resolve) => answers.push(resolve));
    const remembered = remembering(changes, 30, load);
    const early = remembered.get('a');
    changes.change();
    answers[0]?.('before the change');
    expect(await early).toBe('before the change');
    const late = remembered.get('a');
    answers[1]?.('after the change');
    expect(await late).toBe('after the change');
    expect(await remembered.get('a')).toBe('after the change');
  });

  it('is nothing while changes cannot be heard of', async () => {
    const changes = new Feed();
    const remembered = remembering(changes, 30, counting());
    await remembered.get('a');
    changes.isListening = false;
    expect([await remembered.get('a'), await remembered.get('a')]).toEqual([2, 3]);
  });

  it('is out of date after the given time at the latest', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const remembered = remembering(new Feed(), 30, counting());
      await remembered.get('a');
      now.mockReturnValue(29_999);
      expect(await remembered.get('a')).toBe(1);
      now.mockReturnValue(30_000);
      expect(await remembered.get('a')).toBe(2);
    } finally {
      now.mockRestore();
    }
  });

  it('is nothing at all with CACHE_SECONDS=0', async () => {
    const remembered = remembering(new Feed(), 0, counting());
    expect([await remembered.get('a'), await remembered.get('a')]).toEqual([1, 2]);
  });

  it('is not a failure', async () => {
    const load = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue('here');
    const remembered = remembering(new Feed(), 30, load);
    await expect(remembered.get('a')).rejects.toThrow('away');
    expect(await remembered.get('a')).toBe('here');
  });

  it('is bounded: ten thousand keys at most', async () => {
    const load = counting();
    const remembered = remembering(new Feed(), 30, load);
    for (let key = 0; key <= 10_000; key += 1) await remembered.get(String(key));
    expect(await remembered.get('10000')).toBe(1);
    expect(await remembered.get('0')).toBe(2);
  });
});
