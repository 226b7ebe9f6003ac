import { parseByClass, readByClass } from '../../test/read-by-class';
import { ListQuery } from './import-processes.dto';

const read = (query: object) => readByClass('query', ListQuery, query);

describe('the query of a list endpoint', () => {
  it.each([
    [{}, {}],
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '10000' }, { limit: 10_000 }],
    [{ after: 'N 1/2' }, { after: 'N 1/2' }],
    [
      { after: '0', limit: '5' },
      { limit: 5, after: '0' },
    ],
    [{ something: 'else' }, {}],
  ])('%j is parsed as %j', (query, expected) => {
    expect(read(query)).toEqual(expected);
  });

  it.each([
    [{ status: 'ERRORED' }, { status: ['ERRORED'] }],
    [{ status: ['ERRORED', 'PENDING', 'ERRORED'] }, { status: ['PENDING', 'ERRORED'] }],
    [{ status: 'PENDING,CANCELLED' }, { status: ['PENDING', 'CANCELLED'] }],
    [{ include: 'status,error' }, { include: ['status', 'error'] }],
    [{ include: ['error', 'status'] }, { include: ['status', 'error'] }],
    [{ include: 'error' }, { include: ['error'] }],
  ])('%j chooses %j', (query, expected) => {
    expect(read(query)).toMatchObject(expected);
  });

  it.each([
    [{ status: 'FAILED' }, 'status'],
    [{ status: '' }, 'status'],
    [{ status: 'ERRORED,' }, 'status'],
    [{ status: 'errored' }, 'status'],
    [{ status: { a: 1 } }, 'status'],
    [{ include: 'payload' }, 'include'],
    [{ include: ['status', ''] }, 'include'],
    [{ include: '__proto__' }, 'include'],
  ])('refuses %j', (query, attr) => {
    expect(read(query)).toEqual([`${attr}: invalid_choice`]);
  });

  it.each(['0', '-1', '10001', '1e3', '1.5', ' 5', '5 ', '', 'all', '٣', '99999999999999999999', ['1', '2']])(
    'refuses limit=%j',
    (limit) => {
      const detail = 'limit must be a whole number from 1 to 10000.';
      expect(() => parseByClass('query', ListQuery, { limit })).toThrow(
        expect.objectContaining({ members: { errors: [{ attr: 'limit', code: 'invalid', detail }] } }),
      );
    },
  );

  it.each([[''], [['a', 'b']]])('refuses after=%j', (after) => {
    expect(read({ after })).toEqual(['after: invalid']);
  });

  it('has an error for each invalid parameter', () => {
    expect(read({ limit: 'x', after: '' })).toEqual(['limit: invalid', 'after: invalid']);
  });
});
