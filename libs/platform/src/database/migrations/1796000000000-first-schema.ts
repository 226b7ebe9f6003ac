import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountRequests } from './account-requests';
import { accounts } from './accounts';
import { documents } from './documents';
import { events } from './events';
import { imports } from './imports';
import { ledgers } from './ledgers';
import { operators } from './operators';
import { submissions } from './submissions';
import { suppliers } from './suppliers';
import { webhooks } from './webhooks';

/** The SQL of each subject. A subject refers only to those before it. */
const SUBJECTS = [
  suppliers,
  imports,
  accounts,
  ledgers,
  documents,
  accountRequests,
  submissions,
  events,
  webhooks,
  operators,
];

/** The schema of release 1.0.0. Every later change is a migration of its own: see docs/migrations.md. */
export class FirstSchema1796000000000 implements MigrationInterface {
  readonly name = 'FirstSchema1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { create } of SUBJECTS) await runner.query(create);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { drop } of SUBJECTS.toReversed()) await runner.query(drop);
  }
}
