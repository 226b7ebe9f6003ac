import { TypeOrmModule } from '@nestjs/typeorm';
import { PostgresNamingStrategy } from '../../../libs/platform/src/database/schema/naming-strategy';
import { accountEntities } from '../../../libs/accounts/src/entities';
import { eventEntities } from '../../../libs/events/src/entities';
import { importEntities } from '../../../libs/imports/src/entities';
import { submissionEntities } from '../../../libs/submissions/src/entities';
import { tenantEntities } from '../../../libs/tenants/src/entities';
import type { Settings } from '../settings';

const entities = [tenantEntities, accountEntities, importEntities, submissionEntities, eventEntities].flat();

/** TypeORM as in its guide, on the tables of Portage's migrations. */
export function databaseModule({ databaseUrl }: Settings) {
  return TypeOrmModule.forRoot({
    type: 'postgres',
    url: databaseUrl,
    entities,
    namingStrategy: new PostgresNamingStrategy(),
  });
}
