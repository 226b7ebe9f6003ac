import { divideBatch } from './divide-batch';

describe('dividing a batch', () => {
  it.each([
    ['nothing into no part', [], []],
    ['light items into one part', [1, 2, 3], [[1, 2, 3]]],
    ['items that weigh more than the bound together', [4, 6, 1, 9, 1], [[4, 6], [1, 9], [1]]],
    ['a heavier item into a part of its own', [1, 11, 2, 3], [[1], [11], [2, 3]]],
    ['a heavier item that is the last', [2, 3, 12], [[2, 3], [12]]],
  ])('divides %s', (_what, items, parts) => {
    expect(divideBatch(items, (item) => item, 10)).toEqual(parts);
  });
});
