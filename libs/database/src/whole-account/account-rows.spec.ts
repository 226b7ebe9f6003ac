import { getMetadataArgsStorage } from 'typeorm';
import { entities } from '../entities';
import { accountTables, attributedTables, insertRows } from './account-rows';

const { tables, columns } = getMetadataArgsStorage();

describe('the rows of an account', () => {
  it('are stored in tables that have an entity with an accountId', () => {
    for (const table of accountTables) {
      const { target } = tables.find(({ name }) => name === table) ?? {};
      expect(entities).toContain(target);
      expect(columns.find((one) => one.target === target && one.propertyName === 'accountId')).toBeDefined();
    }
  });

  it('name the API key that added them in each table that requests add to', () => {
    expect(attributedTables).toEqual(['transaction', 'note', 'historical_statement', 'payment_instruction']);
  });

  it('are written by property names, with the types of the columns', () => {
    expect(insertRows('note', 3).replaceAll(/\s+/g, ' ')).toBe(
      ' INSERT INTO "note" (account_id, "body", "created_at", "external_id", "is_pinned", "unpin_at", "is_archived", "document_paths")' +
        ' SELECT created_account.account_id, part."body", part."createdAt", part."externalId", part."isPinned", part."unpinAt", part."isArchived", part."documentPaths"' +
        ' FROM json_to_recordset($3::json) AS part (ordinal bigint, "body" text, "createdAt" timestamptz, "externalId" text,' +
        ' "isPinned" boolean, "unpinAt" timestamptz, "isArchived" boolean, "documentPaths" text[]) JOIN created_account USING (ordinal)',
    );
  });

  it('leave to the database what creation does not know', () => {
    expect(insertRows('document', 1)).toMatch(/\(account_id, "path", "kind"\)/);
    expect(insertRows('welcome_email', 1)).toMatch(/\(account_id, "recipient", "subject", "body"\)/);
  });
});
