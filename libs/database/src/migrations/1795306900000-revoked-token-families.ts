import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Families of tokens that are revoked because one of their refresh tokens was used twice. */
export class RevokedTokenFamilies1795306900000 implements MigrationInterface {
  readonly name = 'RevokedTokenFamilies1795306900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE revoked_token_family (
        family uuid PRIMARY KEY,
        revoked_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX revoked_token_family_age ON revoked_token_family (revoked_at);

      -- The API caches which tokens are valid.
      CREATE TRIGGER revoked_token_family_changed AFTER INSERT ON revoked_token_family
        FOR EACH STATEMENT EXECUTE FUNCTION announce_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE revoked_token_family');
  }
}
