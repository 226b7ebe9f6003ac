import { setTimeout as sleep } from 'node:timers/promises';
import { Throttled } from '@portage/platform';
import { GraphqlCost } from './graphql-cost';

const WINDOW_MS = 1_000;

let time = 0;
const costOf = () => new GraphqlCost({ cpuMs: 100, windowMs: WINDOW_MS }, () => time);
const taking = (ms: number) => () => {
  time += ms;
  return 'result';
};

describe('the processor time of GraphQL queries', () => {
  it('is limited for each network, until its window ends', async () => {
    const cost = costOf();
    expect(cost.measure('first', taking(99))).toBe('result');
    await cost.check('first');
    cost.measure('first', taking(1));
    await expect(cost.check('first')).rejects.toThrow(Throttled);
    await cost.check('second');
    await sleep(WINDOW_MS + 50);
    await cost.check('first');
  });

  it('counts queries that fail', async () => {
    const cost = costOf();
    expect(() =>
      cost.measure('first', () => {
        time += 200;
        throw new Error('no');
      }),
    ).toThrow('no');
    await expect(cost.check('first')).rejects.toThrow('Try again in 1 s.');
  });
});
