import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The white space that identifiers are trimmed of, as JavaScript's `trim` defines it. Others cannot be stored. */
const WHITE_SPACE = `U&' \\00a0\\1680\\2000\\2001\\2002\\2003\\2004\\2005\\2006\\2007\\2008\\2009\\200a\\2028\\2029\\202f\\205f\\3000\\feff'`;

/**
 * The digest of the payload of each import process, and trimmed identifiers: identifiers are trimmed when they are
 * read, so that a stored one with white space around it would not be found again.
 */
export class PayloadDigests1795331400000 implements MigrationInterface {
  readonly name = 'PayloadDigests1795331400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: stored by an earlier release, or erased together with the payload.
      ALTER TABLE import_process ADD payload_digest bytea;

      -- Identifiers that would be equal when trimmed stay as they are.
      UPDATE import_process process
      SET external_account_number = trimmed.number, external_identifier = trimmed.identifier
      FROM (
        SELECT id, number, identifier, count(*) OVER (PARTITION BY supplier_id, number) AS equal_numbers,
          count(*) OVER (PARTITION BY supplier_id, identifier) AS equal_identifiers
        FROM import_process, LATERAL (SELECT btrim(external_account_number, ${WHITE_SPACE}) AS number,
          btrim(external_identifier, ${WHITE_SPACE}) AS identifier) AS names
      ) trimmed
      WHERE trimmed.id = process.id AND equal_numbers = 1 AND equal_identifiers = 1
        AND number <> '' AND identifier <> ''
        AND (number <> process.external_account_number OR identifier <> process.external_identifier);

      UPDATE account SET external_account_number = process.external_account_number,
        external_identifier = process.external_identifier
      FROM import_process process
      WHERE process.id = account.process_id
        AND (account.external_account_number <> process.external_account_number
          OR account.external_identifier <> process.external_identifier);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_process DROP payload_digest');
  }
}
