import { PortageError } from '@portage/domain';
import { listQuery } from './list-query';

function refusal(query: Record<string, unknown>): unknown[] {
  try {
    listQuery(query, 10_000);
  } catch (error) {
    if (error instanceof PortageError && error.code === 'validation_error')
      return error.members['errors'] as unknown[];
    throw error;
  }
  return [];
}

describe('the query of a list', () => {
  it.each([
    [{}, { limit: undefined, after: undefined }],
    [{ limit: '1' }, { limit: 1, after: undefined }],
    [{ limit: '10000' }, { limit: 10_000, after: undefined }],
    [{ after: 'N 1/2' }, { limit: undefined, after: 'N 1/2' }],
    [
      { after: '0', limit: '5' },
      { limit: 5, after: '0' },
    ],
    [{ something: 'else' }, { limit: undefined, after: undefined }],
  ])('%j is read as %j', (query, expected) => {
    expect(listQuery(query, 10_000)).toEqual(expected);
  });

  it.each(['0', '-1', '10001', '1e3', '1.5', ' 5', '5 ', '', 'all', '٣', '99999999999999999999', ['1', '2']])(
    'refuses limit=%j',
    (limit) => {
      expect(refusal({ limit })).toEqual([
        { attr: 'limit', code: 'invalid', detail: 'limit must be a whole number from 1 to 10000.' },
      ]);
    },
  );

  it.each([[''], [['a', 'b']]])('refuses after=%j', (after) => {
    expect(refusal({ after })).toEqual([{ attr: 'after', code: 'invalid', detail: expect.any(String) }]);
  });

  it('names every parameter that is wrong', () => {
    expect(refusal({ limit: 'x', after: '' })).toMatchObject([{ attr: 'limit' }, { attr: 'after' }]);
  });
});
