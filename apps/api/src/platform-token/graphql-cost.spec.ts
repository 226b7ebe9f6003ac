import { Throttled } from '@portage/platform';
import { GraphqlCost } from './graphql-cost';

let time = 0;
const costOf = () => new GraphqlCost({ cpuMs: 100, windowMs: 60_000 }, () => time);
const taking = (ms: number) => () => {
  time += ms;
  return 'result';
};

describe('the processor time of GraphQL queries', () => {
  it('is limited for each network, until its window ends', () => {
    const cost = costOf();
    expect(cost.measure('first', taking(99))).toBe('result');
    cost.check('first');
    cost.measure('first', taking(1));
    expect(() => {
      cost.check('first');
    }).toThrow(Throttled);
    cost.check('second');
    time += 60_000;
    cost.check('first');
  });

  it('counts queries that fail', () => {
    const cost = costOf();
    expect(() =>
      cost.measure('first', () => {
        time += 200;
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(() => {
      cost.check('first');
    }).toThrow('Try again in 60 s.');
  });

  it('holds a bounded number of networks', () => {
    const cost = costOf();
    cost.measure('first', taking(100));
    for (let network = 0; network < 10_000; network += 1) cost.measure(String(network), taking(0));
    cost.check('first');
  });
});
