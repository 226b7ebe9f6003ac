import { CountsHere } from './counts-here';

let now = 0;
let counts: CountsHere;
beforeEach(() => {
  now = 5_000;
  counts = new CountsHere(() => now);
});

describe('what an instance counts for itself', () => {
  it('is counted from the first use until the span is over, and then from nothing', () => {
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

  it('goes on from what all instances have counted', () => {
    counts.set('a', { count: 7, milliseconds: 2_000 });
    expect(counts.add('a', 10)).toEqual({ count: 8, milliseconds: 2_000 });
  });

  it('is apart for each subject', () => {
    counts.add('a', 10);
    expect(counts.add('b', 10).count).toBe(1);
  });

  it('does not grow with ever new subjects: the one that was counted longest ago is forgotten', () => {
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
