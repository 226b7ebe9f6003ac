import { paceOf } from './progress';

describe('the pace of a migration', () => {
  it.each([
    ['measured in the last ten buckets', [...Array<number>(50).fill(600), ...Array<number>(10).fill(60)], 1],
    ['measured from the first active bucket', [0, 0, 0, 0, 0, 0, 0, 0, 60, 180], 2],
    ['reduced by pauses', [60, 0, 0, 60], 0.5],
  ])('is %s', (_case, ended, perSecond) => {
    expect(paceOf(ended, 60, 100)).toEqual({ perSecond, secondsLeft: 100 / perSecond });
  });

  it('has no estimate while no process ends', () => {
    expect(paceOf([600, ...Array<number>(10).fill(0)], 60, 1)).toEqual({
      perSecond: 0,
      secondsLeft: undefined,
    });
  });

  it('is zero seconds when no process remains', () => {
    expect(paceOf([0, 0], 60, 0)).toEqual({ perSecond: 0, secondsLeft: 0 });
    expect(paceOf([60], 60, 0)).toEqual({ perSecond: 1, secondsLeft: 0 });
  });
});
