import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '@portage/accounts';
import { EventsModule } from '@portage/events';
import { ImportsModule } from '@portage/imports';
import { OperatorsModule } from '@portage/operators';
import { type Config, ConfigModule, ObservabilityModule, PlatformModule } from '@portage/platform';
import { SubmissionsModule } from '@portage/submissions';
import { TenantsModule } from '@portage/tenants';

/** Composition root of the command line: the use cases of all subjects, without HTTP and without job processors. */
@Module({})
export class CliModule {
  static with(config: Config): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.with(config),
        ObservabilityModule,
        PlatformModule,
        TenantsModule,
        AccountsModule,
        ImportsModule,
        SubmissionsModule,
        EventsModule,
        OperatorsModule,
      ],
    };
  }
}
