import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The time at which the receiver of a webhook endpoint has answered a challenge. Endpoints that exist count as verified;
 * later ones are verified before their first delivery.
 */
export class WebhookVerification1796300000000 implements MigrationInterface {
  readonly name = 'WebhookVerification1796300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoint ADD verified_at timestamptz DEFAULT now()');
    await runner.query('ALTER TABLE webhook_endpoint ALTER verified_at DROP DEFAULT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoint DROP verified_at');
  }
}
