import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Config } from './config';

/** Injection token of the validated {@link Config}. */
export const CONFIG = Symbol('CONFIG');

/** Provides the configuration that `main.ts` loaded to every module. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] };
  }
}
