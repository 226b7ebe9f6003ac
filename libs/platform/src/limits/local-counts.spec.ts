import { LocalCounts } from './local-counts';

let now = 0;
let counts: LocalCounts;
beforeEach(() => {
  now = 5_000;
  counts = new LocalCounts(() => now);
});

describe('the local counts of an instance', () => {
  it('start a window with the first use and start again at zero after its end', () => {
    expect(counts.find('a')).toBeUndefined();
    expect(counts.add('a', 10)).toEqual({ count: 1, milliseconds: 10_000 });
    now += 4_000;
    expect(counts.add('a', 10)).toEqual({ count: 2, milliseconds: 6_000 });
    expect(counts.find('a')).toEqual({ count: 2, milliseconds: 6_000 });
    now += 5_999;
    expect(counts.find('a')).toEqual({ count: 2, milliseconds: 1 });
    now += 1;
    expect(counts.find('a')).toBeUndefined();
    expect(counts.add('a', 10)).toEqual({ count: 1, milliseconds: 10_000 });
  });

  it('continue from the shared count', () => {
    counts.set('a', { count: 7, milliseconds: 2_000 });
    expect(counts.add('a', 10)).toEqual({ count: 8, milliseconds: 2_000 });
  });

  it('are separate for each subject', () => {
    counts.add('a', 10);
    expect(counts.add('b', 10).count).toBe(1);
  });

  it('evict the subject that was counted longest ago when they are full', () => {
    counts.add('first', 10);
    counts.add('second', 10);
    for (let number = 0; number < 9_998; number += 1) counts.add(`n-${number}`, 10);
    counts.add('first', 10);
    counts.add('one more', 10);
    expect(counts.find('second')).toBeUndefined();
    expect(counts.find('first')?.count).toBe(2);
    expect(counts.find('n-9997')?.count).toBe(1);
  });
});
