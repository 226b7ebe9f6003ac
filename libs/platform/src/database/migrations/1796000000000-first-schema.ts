import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountRequests } from './first-schema/account-requests';
import { accounts } from './first-schema/accounts';
import { documents } from './first-schema/documents';
import { events } from './first-schema/events';
import { imports } from './first-schema/imports';
import { ledgers } from './first-schema/ledgers';
import { operators } from './first-schema/operators';
import { submissions } from './first-schema/submissions';
import { suppliers } from './first-schema/suppliers';
import { webhooks } from './first-schema/webhooks';

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
