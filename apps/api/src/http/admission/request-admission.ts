import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, networkOf, PortageError, Throttled } from '@portage/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routeConfigOf } from '../route-config';
import { streamsBody } from '../streamed-body';
import {
  ANONYMOUS_MEMORY,
  estimateMemory,
  JSON_BODY_LIMITS,
  MAX_ANONYMOUS_BODY_BYTES,
  UPLOAD_MEMORY_BYTES,
} from './body-limits';
import { type Admission, Limiter } from './limiter';
import { bodyTooLarge, contentLengthOf, hasBody } from './read-body';
import { concurrencyLimits, type RequestKind } from './request-kind';

/** Bytes of a body for which a request takes one more part of the limit: a large request costs as much as many small. */
const BYTES_PER_WEIGHT = 32_768;

/** The weight of a body that does not announce its length. */
const UNKNOWN_LENGTH_WEIGHT = 8;

/** A request with an Idempotency-Key holds a database connection for a transaction of its own. */
const KEYED_WEIGHT = 1;

/** A request that was admitted. */
interface AdmittedRequest {
  readonly admission: Admission;
  /** Maximum size of its body. */
  readonly maxBytes: number;
  /** True from when the body was read until the answer is ready, even if the client has gone. */
  isProcessed: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: AdmittedRequest | null;
  }
}

/**
 * Admits requests up to the limits of their organisation ({@link Limiter}), before their bodies are read. A request keeps
 * its admission until it was processed, even if its client disconnects before, and until its answer was sent.
 *
 * The memory of a body is decided by Content-Length, and again while it is read and before it is parsed. Bodies without
 * an authenticated caller are small, and their memory is separate, so that strangers cannot use up that of suppliers.
 */
@Injectable()
export class RequestAdmission {
  private readonly organisations: Limiter;
  private readonly strangers: Limiter;

  constructor(
    @Inject(CONFIG)
    config: Pick<Config, 'DATABASE_POOL' | 'WORKER_CONCURRENCY' | 'MAX_BODY_BYTES' | 'MAX_BODY_MEMORY_BYTES'>,
  ) {
    const requests = concurrencyLimits(config);
    // The largest body of an organisation must be possible, whatever the limits are.
    const largest = estimateMemory(config.MAX_BODY_BYTES, JSON_BODY_LIMITS.values);
    const maxBytes = Math.max(config.MAX_BODY_MEMORY_BYTES, largest);
    this.organisations = new Limiter({
      requests,
      maxBytes,
      maxBytesOfOwner: Math.max(maxBytes / 2, largest),
    });
    this.strangers = new Limiter({ requests, ...ANONYMOUS_MEMORY });
  }

  /** Registers the hooks. They must follow the hook that authenticates the caller. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      this.admit(request, reply, done);
    });
    fastify.addHook('preHandler', (request, _reply, done) => {
      if (request.admitted) request.admitted.isProcessed = true;
      done();
    });
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      const { admitted } = request;
      if (admitted) {
        admitted.isProcessed = false;
        // A response has no socket while it waits behind another one of its connection. It may never close then.
        if (reply.raw.closed || !reply.raw.socket) admitted.admission.release();
      }
      done();
    });
  }

  /** The admission of a request with a body; undefined if it has none. Its parser must respect the limits. */
  bodyOf(request: FastifyRequest): Pick<AdmittedRequest, 'admission' | 'maxBytes'> | undefined {
    return hasBody(request) ? (request.admitted ?? undefined) : undefined;
  }

  private admit(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { caller } = request;
    const sendsBody = hasBody(request);
    const contentLength = contentLengthOf(request);
    if (!caller && !sendsBody) {
      done();
      return;
    }
    const isStreamed = caller !== null && streamsBody(request);
    const bodyLimit = isStreamed ? Infinity : request.routeOptions.bodyLimit;
    const maxBytes = caller ? bodyLimit : Math.min(bodyLimit, MAX_ANONYMOUS_BODY_BYTES);
    const refusal = sendsBody ? refusalOf(request, maxBytes) : undefined;
    if (refusal) {
      done(refusal);
      return;
    }
    const { requestKind: kind = 'others' } = routeConfigOf(request);
    const [limiter, owner] = caller
      ? [this.organisations, String(caller.organisationId)]
      : [this.strangers, networkOf(request.ip)];
    const leave = limiter.enter(owner, kind, caller ? weightOf(request, kind) : 0, (admission) => {
      if (admission instanceof Throttled) {
        done(admission);
        return;
      }
      const bytes = isStreamed ? UPLOAD_MEMORY_BYTES : estimateMemory(contentLength ?? 0, 0);
      const excess = sendsBody ? admission.grow(bytes) : undefined;
      if (excess) {
        admission.release();
        done(excess);
        return;
      }
      request.admitted = { admission, maxBytes, isProcessed: false };
      done();
    });
    reply.raw.once('close', () => {
      leave();
      const { admitted } = request;
      // The handler of a request may outlast its client.
      if (admitted && !admitted.isProcessed) admitted.admission.release();
    });
  }
}

/** The error for a body that is not read, whatever the limits of its owner are. */
function refusalOf(request: FastifyRequest, maxBytes: number): PortageError | undefined {
  // Without a route, nothing could use the body.
  if (request.is404) return new PortageError('not_found', 'There is no resource at this address.');
  return (contentLengthOf(request) ?? 0) > maxBytes ? bodyTooLarge(maxBytes) : undefined;
}

function weightOf({ headers }: FastifyRequest, kind: RequestKind): number {
  if (kind === 'uploads') return 1;
  const keyed = headers['idempotency-key'] === undefined ? 0 : KEYED_WEIGHT;
  if (headers['transfer-encoding'] !== undefined) return UNKNOWN_LENGTH_WEIGHT + keyed;
  const length = Number(headers['content-length'] ?? 0);
  return 1 + keyed + Math.floor(length / BYTES_PER_WEIGHT);
}
