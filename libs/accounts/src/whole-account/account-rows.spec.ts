import { accountEntities } from '../entities';
import { getMetadataArgsStorage } from 'typeorm';
import {
  type AccountRows,
  type AccountTable,
  accountTables,
  attributedTables,
  insertRows,
  ROW_PARAMETER_COUNT,
  rowParameters,
} from './account-rows';
import { ADDITION_TABLES } from './additions';

const { tables, columns } = getMetadataArgsStorage();

describe('the rows of an account', () => {
  it('are stored in tables that have an entity with an accountId', () => {
    for (const table of accountTables) {
      const { target } = tables.find(({ name }) => name === table) ?? {};
      expect(accountEntities).toContain(target);
      expect(columns.find((one) => one.target === target && one.propertyName === 'accountId')).toBeDefined();
    }
  });

  it('name the API key that added them in each table that requests add to', () => {
    expect(attributedTables).toEqual(['transaction', 'note', 'historical_statement', 'payment_instruction']);
    expect(Object.values(ADDITION_TABLES).toSorted()).toEqual(attributedTables.toSorted());
  });

  const textOf = (wanted: string, first = 1) =>
    insertRows(first)
      .find(({ table }) => table === wanted)!
      .text.replaceAll(/\s+/g, ' ');

  it('are written by property names, one array a column with its type', () => {
    const [first] = accountTables;
    expect(textOf(first!, 3)).toMatch(
      /unnest\(\(SELECT \$3::bigint\[\]\)\), unnest\(\(SELECT \$4::integer\[\]\)\)/,
    );
    expect(textOf('note').replaceAll(/\$\d+/g, '$n')).toBe(
      ' INSERT INTO "note" (account_id, "body", "created_at", "external_id", "is_pinned", "unpin_at", "is_archived", "document_paths")' +
        ' SELECT created_account.account_id, part."body", part."createdAt", part."externalId", part."isPinned", part."unpinAt", part."isArchived", part."documentPaths"::text[]' +
        ' FROM ROWS FROM (unnest((SELECT $n::bigint[])), unnest((SELECT $n::text[])), unnest((SELECT $n::timestamptz[])),' +
        ' unnest((SELECT $n::text[])), unnest((SELECT $n::boolean[])), unnest((SELECT $n::timestamptz[])),' +
        ' unnest((SELECT $n::boolean[])), unnest((SELECT $n::text[])))' +
        ' AS part (ordinal, "body", "createdAt", "externalId", "isPinned", "unpinAt", "isArchived", "documentPaths") JOIN created_account USING (ordinal)',
    );
  });

  it('have one parameter for each number in the statement', () => {
    const texts = insertRows(1).map(({ text }) => text);
    const numbers = texts.flatMap((text) =>
      [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)),
    );
    expect(numbers).toEqual(Array.from({ length: ROW_PARAMETER_COUNT }, (_, index) => index + 1));
    expect(rowParameters([])).toHaveLength(ROW_PARAMETER_COUNT);
  });

  it('keep the quotes and backslashes of texts in arrays', () => {
    const none = Object.fromEntries(accountTables.map((table) => [table, []])) as unknown as AccountRows;
    const documentPaths = ['a, {b}', 'c"d', 'e\\f'];
    const note = { body: null, createdAt: '2026-01-01', isPinned: false, isArchived: false, documentPaths };
    expect(rowParameters([none, { ...none, note: [note] }])).toContainEqual(['{"a, {b}","c\\"d","e\\\\f"}']);
  });

  it('have JSON that is never null, because an element of a JSON array is not', () => {
    const nullable = columns.filter(
      ({ target, options }) =>
        options.type === 'jsonb' &&
        options.nullable === true &&
        accountTables.includes(tables.find((one) => one.target === target)?.name as AccountTable),
    );
    expect(nullable).toEqual([]);
  });

  it('leave to the database what creation does not know', () => {
    expect(textOf('document')).toMatch(/\(account_id, "path", "kind"\)/);
    expect(textOf('welcome_email')).toMatch(/\(account_id, "recipient", "subject", "body"\)/);
  });
});
