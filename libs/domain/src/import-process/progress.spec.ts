import { paceOf } from './progress';

describe('the pace of a migration', () => {
  it.each([
    ['as it was in the last ten buckets', [...Array<number>(50).fill(600), ...Array<number>(10).fill(60)], 1],
    ['only since it began', [0, 0, 0, 0, 0, 0, 0, 0, 60, 180], 2],
    ['with its pauses, once it has begun', [60, 0, 0, 60], 0.5],
  ])('is %s', (_what, ended, perSecond) => {
    expect(paceOf(ended, 60, 100)).toEqual({ perSecond, secondsLeft: 100 / perSecond });
  });

  it('is not guessed while nothing comes to an end', () => {
    expect(paceOf([600, ...Array<number>(10).fill(0)], 60, 1)).toEqual({
      perSecond: 0,
      secondsLeft: undefined,
    });
  });

  it('leaves nothing to wait for when all have come to an end', () => {
    expect(paceOf([0, 0], 60, 0)).toEqual({ perSecond: 0, secondsLeft: 0 });
    expect(paceOf([60], 60, 0)).toEqual({ perSecond: 1, secondsLeft: 0 });
  });
});
