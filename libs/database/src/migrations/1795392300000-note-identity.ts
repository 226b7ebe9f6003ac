import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replaces the function of the index of notes by one in PL/pgSQL with the same results. PostgreSQL starts an executor
 * for each call of an SQL function with a subquery; PL/pgSQL does so for notes without a body only.
 */
export class NoteIdentity1795392300000 implements MigrationInterface {
  readonly name = 'NoteIdentity1795392300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION note_identity(body text, document_paths text[]) RETURNS bytea
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
          IF body IS NOT NULL THEN
            RETURN sha256(convert_to('body ' || body, 'UTF8'));
          END IF;
          RETURN sha256(convert_to('documents ' ||
            ARRAY(SELECT DISTINCT path COLLATE "C" FROM unnest(document_paths) AS path ORDER BY 1)::text, 'UTF8'));
        END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION note_identity(body text, document_paths text[]) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT sha256(convert_to(CASE WHEN body IS NOT NULL THEN 'body ' || body
          ELSE 'documents ' || ARRAY(SELECT DISTINCT path COLLATE "C" FROM unnest(document_paths) AS path ORDER BY 1)::text
          END, 'UTF8'))
      $$;
    `);
  }
}
