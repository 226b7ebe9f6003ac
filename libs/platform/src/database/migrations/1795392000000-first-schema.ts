import type { QueryRunner } from 'typeorm';
import { accountRequests } from './first-schema/account-requests';
import { accounts } from './first-schema/accounts';
import { corrections } from './first-schema/corrections';
import { counts } from './first-schema/counts';
import { documents } from './first-schema/documents';
import { events } from './first-schema/events';
import { imports } from './first-schema/imports';
import { ledgers } from './first-schema/ledgers';
import { operators } from './first-schema/operators';
import { submissions } from './first-schema/submissions';
import { suppliers } from './first-schema/suppliers';
import { webhooks } from './first-schema/webhooks';
import type { Migration } from './migration';

/** The SQL of each subject. A subject refers only to those before it. */
const SUBJECTS = [
  suppliers,
  imports,
  accounts,
  ledgers,
  documents,
  accountRequests,
  submissions,
  corrections,
  events,
  counts,
  webhooks,
  operators,
];

/** The schema of release 1.0.0. Every later change is a migration of its own: see docs/migrations.md. */
export class FirstSchema1795392000000 implements Migration {
  readonly name = 'FirstSchema1795392000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of SUBJECTS) await runner.query(sql);
  }
}
