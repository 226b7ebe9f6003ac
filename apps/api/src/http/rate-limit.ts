import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, type RateLimit, RateLimits, Throttled } from '@portage/platform';
import type { FastifyInstance } from 'fastify';
import { callerOf } from './caller';

/**
 * Limits each organisation to ORGANISATION_REQUESTS_PER_MINUTE, before the body of a request is read. Each answer has
 * the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11): the policy is `q` requests
 * in a window of `w` seconds, of which `r` are left for the next `t` seconds.
 */
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
    const { limit } = this;
    if (limit.maxUses === 0) return;
    const name = `"${limit.name}"`;
    const policy = `${name};q=${limit.maxUses};w=${limit.seconds}`;
    fastify.addHook('onRequest', async (request, reply) => {
      const caller = callerOf(request);
      if (!caller) return;
      const used = await this.limits.use(limit, String(caller.organisationId));
      const remaining = Math.max(0, limit.maxUses - used.count);
      const seconds = Math.max(1, Math.ceil(used.milliseconds / 1_000));
      void reply.headers({ 'RateLimit-Policy': policy, RateLimit: `${name};r=${remaining};t=${seconds}` });
      if (used.count > limit.maxUses) throw new Throttled(limit.detail, used.milliseconds);
    });
  }
}
