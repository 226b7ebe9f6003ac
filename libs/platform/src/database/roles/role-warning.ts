import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG } from '../../config/config.module';
import type { Config } from '../../config/config';
import { Logger } from '../../observability/logger';
import { Database } from '../connection/database';

const FIND_RIGHTS = `SELECT FROM pg_class
  WHERE oid = to_regclass('audit_entry') AND has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')`;

/** Warns at the start in production if the role of DATABASE_URL can change the audit. */
@Injectable()
export class RoleWarning implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'NODE_ENV'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.NODE_ENV !== 'production') return;
    // An unreachable database is reported by the readiness check.
    const found = await this.database.manager.query<unknown[]>(FIND_RIGHTS).catch(() => []);
    if (found.length > 0)
      this.logger.warn(
        'The role of DATABASE_URL owns its tables, so this program could change the audit. Run npm run migrate with MIGRATION_DATABASE_URL as the owner and another role in DATABASE_URL.',
      );
  }
}
