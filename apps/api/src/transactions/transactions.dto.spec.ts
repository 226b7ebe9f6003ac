import { readByClass } from '../../test/read-by-class';
import { TransactionsQuery } from './transactions.dto';

const read = (query: object) => readByClass('query', TransactionsQuery, query);

const DEFAULTS = { check_previously_added: true, force_add_to_current_statement: true };

describe('the query parameters of a transactions request (contract, "Add transactions")', () => {
  it('are both true by default', () => {
    expect(read({})).toEqual(DEFAULTS);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('%p means %p', (text, value) => {
    expect(read({ check_previously_added: text })).toEqual({
      ...DEFAULTS,
      check_previously_added: value,
    });
    expect(read({ force_add_to_current_statement: text })).toEqual({
      ...DEFAULTS,
      force_add_to_current_statement: value,
    });
  });

  it('are ignored if they are unknown', () => {
    expect(read({ limit: '3', __proto__: 'false' })).toEqual(DEFAULTS);
  });

  it.each([['yes'], [''], ['TRUE'], ['toString'], [['true', 'false']]])('%p is refused', (value) => {
    expect(read({ check_previously_added: value, force_add_to_current_statement: value })).toEqual([
      'check_previously_added: invalid',
      'force_add_to_current_statement: invalid',
    ]);
  });
});
