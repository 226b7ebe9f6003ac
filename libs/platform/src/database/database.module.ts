import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { CONFIG } from '../config/config.module';
import type { Config } from '../config/config';
import { Logger } from '../observability/logger';
import { ChangeFeed } from './connection/change-feed';
import { ConnectionGauge } from './connection/connection-gauge';
import { dataSourceOptions, openDataSource } from './data-source';
import { Database } from './connection/database';
import { translateErrors } from './connection/database-unavailable';
import { DatabaseClock } from './connection/database-clock';
import { RoleWarning } from './roles/role-warning';
import { PoolerCheck } from './connection/pooler-check';

const providers = [Database, DatabaseClock, ChangeFeed, ConnectionGauge, RoleWarning, PoolerCheck];

/**
 * The connection pool of a process. Never migrates: that is `npm run migrate`.
 */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG, Logger],
      useFactory: (config: Config, logger: Logger) => ({
        ...dataSourceOptions(config, (error) => {
          logger.warn('A database connection was lost.', { error });
        }),
        // Each subject registers its own.
        autoLoadEntities: true,
        // A program whose database is away ends at once, and what runs it starts it again.
        toRetry: () => false,
      }),
      dataSourceFactory: async (options) => translateErrors(openDataSource(options as DataSourceOptions)),
    }),
  ],
  providers,
  exports: providers,
})
export class DatabaseModule {}
