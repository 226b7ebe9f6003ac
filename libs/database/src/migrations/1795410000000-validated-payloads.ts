import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The context in which the API has found a payload valid, so that the worker need not run the rules again.
 *
 * The version guards against processes of the previous release, which replace payloads without these columns: the
 * version of the process is another one then, and the worker validates.
 */
export class ValidatedPayloads1795410000000 implements MigrationInterface {
  readonly name = 'ValidatedPayloads1795410000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE import_process_payload ADD validated_version integer, ADD context_digest bigint;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_process_payload DROP validated_version, DROP context_digest');
  }
}
