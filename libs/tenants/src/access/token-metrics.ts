import { Injectable } from '@nestjs/common';
import { Metrics } from '@portage/platform';
import { Counter } from 'prom-client';

/** The metric of tokens. */
@Injectable()
export class TokenMetrics {
  readonly refreshTokenReuse: Counter;

  constructor({ registry }: Metrics) {
    this.refreshTokenReuse = new Counter({
      name: 'portage_refresh_token_reuse_total',
      help: 'Families of tokens that were revoked because a refresh token was used twice.',
      registers: [registry],
    });
  }
}
