import { EVENT_TYPE_NAMES } from '@portage/events';
import { parseByClass, readByClass } from '../../test/read-by-class';
import { EventsQuery } from './events.dto';

const read = (query: object) => readByClass('query', EventsQuery, query);

const [COMPLETE, ERROR] = EVENT_TYPE_NAMES;

describe('the query of the feed', () => {
  it('has defaults for all but the supplier', () => {
    expect(read({ supplier: 'DEMO' })).toEqual({ supplier: 'DEMO', limit: 1_000, wait: 0 });
  });

  it.each([
    [`${COMPLETE},${ERROR}`, [COMPLETE, ERROR]],
    [
      [COMPLETE, ERROR, COMPLETE],
      [COMPLETE, ERROR],
    ],
    [`${ERROR}`, [ERROR]],
  ])('has types that are repeated or listed: %j', (types, expected) => {
    const query = read({ supplier: 'DEMO', types, wait: '20', limit: '5000', after: 'now' });
    expect(query).toMatchObject({ types: expected, wait: 20, limit: 5_000, after: 'now' });
  });

  it.each([
    [{}, ['supplier: required']],
    [{ supplier: ['A', 'B'] }, ['supplier: required']],
    [{ supplier: 'A', limit: '0' }, ['limit: invalid']],
    [{ supplier: 'A', limit: '5001' }, ['limit: invalid']],
    [{ supplier: 'A', wait: '21' }, ['wait: invalid']],
    [{ supplier: 'A', wait: '-1' }, ['wait: invalid']],
    [{ supplier: 'A', after: '' }, ['after: invalid']],
    [{ supplier: 'A', types: '' }, ['types: invalid_choice']],
    [{ supplier: 'A', types: 'toString' }, ['types: invalid_choice']],
    [
      { types: 'x', limit: 'x', wait: 'x', after: ['a', 'b'] },
      ['supplier: required', 'after: invalid', 'types: invalid_choice', 'limit: invalid', 'wait: invalid'],
    ],
  ])('is refused with an error for each invalid parameter: %j', (query, errors) => {
    expect(read(query)).toEqual(errors);
  });

  it('lists the known types if one is unknown', () => {
    const detail = `x is no type of event. types must be one or more of ${EVENT_TYPE_NAMES.join(', ')}.`;
    const errors = [{ attr: 'types', code: 'invalid_choice', detail }];
    expect(() => parseByClass('query', EventsQuery, { supplier: 'A', types: 'x' })).toThrow(
      expect.objectContaining({ members: { errors } }),
    );
  });
});
