import fc from 'fast-check';
import { transactionStatuses } from './transaction-identity';

const statuses = (ids: readonly string[], existing: readonly string[], check: boolean) =>
  transactionStatuses(
    ids.map((transaction_id) => ({ transaction_id })),
    existing,
    check,
  ).map((status) => (status === 'TRANSACTION_ADDED_TO_ACCOUNT' ? 'new' : 'old'));

describe('existing transactions (contract, "Add transactions")', () => {
  it.each([
    ['a new one', ['B'], ['A'], ['new']],
    ['one that the account has', ['A', 'B'], ['A'], ['old', 'new']],
    ['one that occurs twice in the request', ['B', 'A', 'B', 'B'], [], ['new', 'new', 'old', 'old']],
    [
      'an id in another letter case or with a leading zero',
      ['a', '07', ' A'],
      ['A', '7'],
      ['new', 'new', 'new'],
    ],
    ['an id that is a JavaScript property name', ['__proto__', 'constructor'], [], ['new', 'new']],
    ['no transactions', [], ['A'], []],
  ])('%s', (_case, ids, existing, expected) => {
    expect(statuses(ids, existing, true)).toEqual(expected);
  });

  it('are added again without check_previously_added', () => {
    expect(statuses(['A', 'A'], ['A'], false)).toEqual(['new', 'new']);
  });

  it('are never added again by the same request, and each id is added once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 2 })),
        fc.array(fc.string({ maxLength: 2 })),
        (ids, existing) => {
          const added = ids.filter((_, place) => statuses(ids, existing, true)[place] === 'new');
          expect(new Set(added).size).toBe(added.length);
          expect(new Set([...existing, ...added])).toEqual(new Set([...existing, ...ids]));
          expect(statuses(ids, [...existing, ...added], true)).not.toContain('new');
        },
      ),
    );
  });
});
