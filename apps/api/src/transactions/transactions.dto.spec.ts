import { PortageError } from '@portage/platform';
import { ValidationPipe } from '../http/validation-pipe';
import { TransactionsQuery } from './transactions.dto';

const parseTransactionsQuery = (query: object): unknown =>
  new ValidationPipe().transform(query, { type: 'query', metatype: TransactionsQuery });

const DEFAULTS = { check_previously_added: true, force_add_to_current_statement: true };

describe('the query parameters of a transactions request (contract, "Add transactions")', () => {
  it('are both true by default', () => {
    expect(parseTransactionsQuery({})).toEqual(DEFAULTS);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('%p means %p', (text, value) => {
    expect(parseTransactionsQuery({ check_previously_added: text })).toEqual({
      ...DEFAULTS,
      check_previously_added: value,
    });
    expect(parseTransactionsQuery({ force_add_to_current_statement: text })).toEqual({
      ...DEFAULTS,
      force_add_to_current_statement: value,
    });
  });

  it('are ignored if they are unknown', () => {
    expect(parseTransactionsQuery({ limit: '3', __proto__: 'false' })).toEqual(DEFAULTS);
  });

  it.each([['yes'], [''], ['TRUE'], ['toString'], [['true', 'false']]])('%p is refused', (value) => {
    const thrownBy = (): unknown => {
      try {
        return parseTransactionsQuery({
          check_previously_added: value,
          force_add_to_current_statement: value,
        });
      } catch (error) {
        return error;
      }
    };
    expect(thrownBy()).toBeInstanceOf(PortageError);
    expect(thrownBy()).toMatchObject({
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
