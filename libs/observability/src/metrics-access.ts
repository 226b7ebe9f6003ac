import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';

/** Who may read the metrics: whoever brings METRICS_TOKEN as `Authorization: Bearer`. Without one they are off. */
@Injectable()
export class MetricsAccess {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'METRICS_TOKEN'>) {}

  get isOff(): boolean {
    return this.config.METRICS_TOKEN === undefined;
  }

  isGranted(authorization: string | undefined): boolean {
    const given = /^Bearer +(\S{1,4096})$/i.exec(authorization ?? '')?.[1] ?? '';
    return this.config.METRICS_TOKEN?.matches(given) ?? false;
  }
}
