import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, Throttled } from '@portage/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../caller';
import { routeConfigOf } from '../route-config';
import { type Admission, OrganisationConcurrency } from './organisation-concurrency';
import { concurrencyLimits } from './request-kind';

/** Bytes of a body for which a request takes one more part of the limit: a large request costs as much as many small. */
const BYTES_PER_WEIGHT = 32_768;

/** The weight of a body that does not announce its length. */
const UNKNOWN_LENGTH_WEIGHT = 8;

/** A request with an Idempotency-Key holds a database connection for a transaction of its own. */
const KEYED_WEIGHT = 1;

/** A request that was admitted. */
interface AdmittedRequest {
  readonly admission: Admission;
  /** True once the body was read and the request is being processed, even if its client has gone. */
  isProcessed: boolean;
}

/**
 * Admits the requests of each organisation up to its limits ({@link OrganisationConcurrency}), before their bodies are
 * read. A request keeps its admission until its answer is ready, even if the client disconnects before.
 */
@Injectable()
export class OrganisationAdmission {
  private readonly concurrency: OrganisationConcurrency;
  private readonly admitted = new WeakMap<FastifyRequest, AdmittedRequest>();

  constructor(@Inject(CONFIG) config: Pick<Config, 'DATABASE_POOL' | 'WORKER_CONCURRENCY'>) {
    this.concurrency = new OrganisationConcurrency(concurrencyLimits(config));
  }

  /** Registers the hooks. They must follow the hook that authenticates the caller. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const caller = callerOf(request);
      if (!caller) {
        done();
        return;
      }
      const { requestKind: kind = 'others' } = routeConfigOf(request);
      const weight = kind === 'uploads' ? 1 : weightOf(request);
      const admit = (admission: Admission) => {
        const admittedRequest: AdmittedRequest = { admission, isProcessed: false };
        this.admitted.set(request, admittedRequest);
        // The client may disconnect while its body is read. Then no handler runs, and no answer is sent.
        reply.raw.once('close', () => {
          if (!admittedRequest.isProcessed) admission.release();
        });
        done();
      };
      const admission = this.concurrency.tryEnter(kind, caller.organisationId, weight);
      if (admission) {
        admit(admission);
        return;
      }
      let leave: () => void = () => undefined;
      const leaveOnClose = () => {
        leave();
      };
      reply.raw.once('close', leaveOnClose);
      leave = this.concurrency.wait(kind, caller.organisationId, weight, (outcome) => {
        reply.raw.off('close', leaveOnClose);
        if (outcome instanceof Throttled) done(outcome);
        else admit(outcome);
      });
    });
    fastify.addHook('preHandler', (request, _reply, done) => {
      const admittedRequest = this.admitted.get(request);
      if (admittedRequest) admittedRequest.isProcessed = true;
      done();
    });
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      const admission = this.admitted.get(request)?.admission;
      // A streamed list costs until its last row has been read.
      if (payload instanceof Readable && !payload.closed) payload.once('close', () => admission?.release());
      else admission?.release();
      done();
    });
  }
}

function weightOf({ headers }: FastifyRequest): number {
  const keyed = headers['idempotency-key'] === undefined ? 0 : KEYED_WEIGHT;
  if (headers['transfer-encoding'] !== undefined) return UNKNOWN_LENGTH_WEIGHT + keyed;
  const length = Number(headers['content-length'] ?? 0);
  return 1 + keyed + Math.floor(length / BYTES_PER_WEIGHT);
}
