import type { QueryArrayResult } from 'pg';
import { propertyOf, rowObjects } from '../../connections/row-objects';
import { PostgresNamingStrategy } from './naming-strategy';

describe('the property of a column', () => {
  it.each([
    ['id', 'id'],
    ['created_at', 'createdAt'],
    ['v1_error_format', 'v1ErrorFormat'],
    ['external_account_number', 'externalAccountNumber'],
    ['isOpen', 'isOpen'],
  ])('%s is %s', (column, property) => {
    expect([propertyOf(column), propertyOf(column)]).toEqual([property, property]);
  });

  it.each(['id', 'createdAt', 'v1ErrorFormat', 'isDryRun'])(
    '%s is that of its column in an entity',
    (name) => {
      expect(propertyOf(new PostgresNamingStrategy().columnName(name, undefined))).toBe(name);
    },
  );
});

it('rows have the values of their columns, and the last one of columns with the same name', () => {
  const fields = ['id', 'created_at', 'id'].map((name) => ({ name }));
  const rows = [
    [1, 'today', 2],
    [3, null, 4],
  ];
  expect(rowObjects({ fields, rows } as QueryArrayResult)).toEqual([
    { id: 2, createdAt: 'today' },
    { id: 4, createdAt: null },
  ]);
});
