import 'reflect-metadata';
import { accountEntities } from '@portage/accounts';
import { eventEntities } from '@portage/events';
import { importEntities } from '@portage/imports';
import { operatorEntities } from '@portage/operators';
import { dataSourceOptions, loadConfig, platformEntities } from '@portage/platform';
import { submissionEntities } from '@portage/submissions';
import { tenantEntities } from '@portage/tenants';
import { DataSource } from 'typeorm';

// oxlint-disable-next-line portage/no-environment -- TypeORM's command line reads no settings of its own
const config = loadConfig('migrate', process.env);

/**
 * The data source for TypeORM's command line, with every entity and migration:
 * `npx typeorm migration:generate --dataSource dist/apps/cli/src/data-source.js --dryrun change`.
 */
export default new DataSource({
  ...dataSourceOptions(
    { ...config, DATABASE_URL: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL },
    () => undefined,
  ),
  entities: [
    ...platformEntities,
    ...tenantEntities,
    ...accountEntities,
    ...importEntities,
    ...submissionEntities,
    ...eventEntities,
    ...operatorEntities,
  ],
});
