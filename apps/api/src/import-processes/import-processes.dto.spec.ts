import { PortageError } from '@portage/platform';
import { ValidationPipe } from '../http/validation-pipe';
import { ListQuery } from './import-processes.dto';

const parseListQuery = (query: object): unknown =>
  new ValidationPipe().transform(query, { type: 'query', metatype: ListQuery });

function errorsOf(query: Record<string, unknown>): unknown[] {
  try {
    parseListQuery(query);
  } catch (error) {
    if (error instanceof PortageError && error.code === 'validation_error')
      return error.members['errors'] as unknown[];
    throw error;
  }
  return [];
}

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
    expect(parseListQuery(query)).toEqual(expected);
  });

  it.each([
    [{ status: 'ERRORED' }, { status: ['ERRORED'] }],
    [{ status: ['ERRORED', 'PENDING', 'ERRORED'] }, { status: ['PENDING', 'ERRORED'] }],
    [{ status: 'PENDING,CANCELLED' }, { status: ['PENDING', 'CANCELLED'] }],
    [{ include: 'status,error' }, { include: ['status', 'error'] }],
    [{ include: ['error', 'status'] }, { include: ['status', 'error'] }],
    [{ include: 'error' }, { include: ['error'] }],
  ])('%j chooses %j', (query, expected) => {
    expect(parseListQuery(query)).toMatchObject(expected);
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
    expect(errorsOf(query)).toEqual([{ attr, code: 'invalid_choice', detail: expect.any(String) }]);
  });

  it.each(['0', '-1', '10001', '1e3', '1.5', ' 5', '5 ', '', 'all', '٣', '99999999999999999999', ['1', '2']])(
    'refuses limit=%j',
    (limit) => {
      expect(errorsOf({ limit })).toEqual([
        { attr: 'limit', code: 'invalid', detail: 'limit must be a whole number from 1 to 10000.' },
      ]);
    },
  );

  it.each([[''], [['a', 'b']]])('refuses after=%j', (after) => {
    expect(errorsOf({ after })).toEqual([{ attr: 'after', code: 'invalid', detail: expect.any(String) }]);
  });

  it('has an error for each invalid parameter', () => {
    expect(errorsOf({ limit: 'x', after: '' })).toMatchObject([{ attr: 'limit' }, { attr: 'after' }]);
  });
});
