import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { type RateLimit, RateLimits } from '@portage/importing';
import type { FastifyInstance } from 'fastify';
import { callerOf } from './caller';

/** Limits each organisation to ORGANISATION_REQUESTS_PER_MINUTE, before the body of a request is read. */
@Injectable()
export class OrganisationRateLimit {
  private readonly limit: RateLimit;

  constructor(
    private readonly limits: RateLimits,
    @Inject(CONFIG) config: Pick<Config, 'ORGANISATION_REQUESTS_PER_MINUTE'>,
  ) {
    this.limit = {
      name: 'organisation-requests',
      maxUses: config.ORGANISATION_REQUESTS_PER_MINUTE,
      seconds: 60,
      detail: 'Your organisation has sent too many requests.',
    };
  }

  /** Registers the hook. It must follow the hook that authenticates the caller. */
  register(fastify: FastifyInstance): void {
    if (this.limit.maxUses === 0) return;
    fastify.addHook('onRequest', async (request) => {
      const caller = callerOf(request);
      if (caller) await this.limits.take(this.limit, String(caller.organisationId));
    });
  }
}
