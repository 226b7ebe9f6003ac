import { type DynamicModule, Module } from '@nestjs/common';
import { type Config, ConfigModule } from '@portage/config';
import { DatabaseModule } from '@portage/database';
import { ImportingModule } from '@portage/importing';
import { ObservabilityModule } from '@portage/observability';
import { QueuesModule } from '@portage/queues';

/** Composition root of the command line: the use cases of libs/importing, without HTTP and without job processors. */
@Module({})
export class CliModule {
  static with(config: Config): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.with(config),
        ObservabilityModule,
        DatabaseModule,
        QueuesModule,
        ImportingModule,
      ],
    };
  }
}
