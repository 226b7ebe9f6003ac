import { TypeOrmModule } from '@nestjs/typeorm';
import { entities } from '../../../libs/platform/src/database/entities';
import { PostgresNamingStrategy } from '../../../libs/platform/src/database/schema/naming-strategy';
import type { Settings } from '../settings';

/** TypeORM as in its guide, on the tables of Portage's migrations. */
export function databaseModule({ databaseUrl }: Settings) {
  return TypeOrmModule.forRoot({
    ...{ type: 'postgres', url: databaseUrl, entities },
    namingStrategy: new PostgresNamingStrategy(),
  });
}
