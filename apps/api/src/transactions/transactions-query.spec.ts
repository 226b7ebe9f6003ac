import { PortageError } from '@portage/domain';
import { transactionsQuery } from './transactions-query';

const BOTH = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };

describe('the query parameters of a transactions request (contract 4.3)', () => {
  it('are both true unless given', () => {
    expect(transactionsQuery({})).toEqual(BOTH);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('%p means %p', (text, value) => {
    expect(transactionsQuery({ check_previously_added: text })).toEqual({
      ...BOTH,
      checkPreviouslyAdded: value,
    });
    expect(transactionsQuery({ force_add_to_current_statement: text })).toEqual({
      ...BOTH,
      forceAddToCurrentStatement: value,
    });
  });

  it('that are not known have no effect, as on the lists', () => {
    expect(transactionsQuery({ limit: '3', __proto__: 'false' })).toEqual(BOTH);
  });

  it.each([['yes'], [''], ['TRUE'], ['toString'], [['true', 'false']]])('%p is refused by name', (given) => {
    const refused = (): unknown => {
      try {
        return transactionsQuery({ check_previously_added: given, force_add_to_current_statement: given });
      } catch (error) {
        return error;
      }
    };
    expect(refused()).toBeInstanceOf(PortageError);
    expect(refused()).toMatchObject({
      code: 'validation_error',
      members: {
        errors: [
          { attr: 'check_previously_added', code: 'invalid' },
          { attr: 'force_add_to_current_statement', code: 'invalid' },
        ],
      },
    });
  });
});
