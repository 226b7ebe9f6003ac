import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module';
import type { Config } from '../config/config';

/** Checks the bearer token of /metrics against METRICS_TOKEN. Without METRICS_TOKEN the metrics are disabled. */
@Injectable()
export class MetricsAccess {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'METRICS_TOKEN'>) {}

  /** True if METRICS_TOKEN is not set. */
  get isOff(): boolean {
    return this.config.METRICS_TOKEN === undefined;
  }

  /** True if the value of an `Authorization` header has the token. */
  isGranted(authorization: string | undefined): boolean {
    const token = /^Bearer +(\S{1,4096})$/i.exec(authorization ?? '')?.[1] ?? '';
    return this.config.METRICS_TOKEN?.matches(token) ?? false;
  }
}
