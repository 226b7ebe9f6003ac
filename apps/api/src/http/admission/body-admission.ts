import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, networkOf, PortageError, Throttled } from '@portage/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../caller';
import { streamsBody } from '../streamed-body';
import {
  ANONYMOUS_MEMORY,
  estimateMemory,
  JSON_BODY_LIMITS,
  MAX_ANONYMOUS_BODY_BYTES,
  UPLOAD_MEMORY_BYTES,
} from './body-limits';
import { type ExceededLimit, MemoryBudget, type MemoryReservation } from './memory-budget';
import { bodyTooLarge, hasBody } from './read-body';

/** When a client that was refused for memory should try again. Bodies are held for this order of time. */
const RETRY_AFTER_MS = 2_000;

/**
 * A reservation whose client has gone is released after this time if no answer was attempted by then. It is longer than
 * any handler waits, and prevents that a lost reservation lasts.
 */
const ABANDONED_AFTER_MS = 120_000;

/** A request with a body: its memory and its largest size. */
export interface AdmittedBody {
  readonly reservation: MemoryReservation;
  readonly maxBytes: number;
}

interface TrackedBody extends AdmittedBody {
  /** The handler has answered, so that it no longer uses the body. */
  isAnswered: boolean;
}

/**
 * Admits request bodies by the memory that they need: of one organisation, and of the process. It decides before the
 * body is read, by Content-Length, and again while it is read and before it is parsed. Bodies without an authenticated
 * caller are small, and their memory is separate, so that strangers cannot use up that of suppliers.
 */
@Injectable()
export class BodyAdmission {
  private readonly suppliers: MemoryBudget;
  private readonly strangers = new MemoryBudget(ANONYMOUS_MEMORY);
  private readonly bodies = new WeakMap<FastifyRequest, TrackedBody>();

  constructor(@Inject(CONFIG) config: Pick<Config, 'MAX_BODY_BYTES' | 'MAX_BODY_MEMORY_BYTES'>) {
    // The largest body of an organisation must be possible, whatever the limits are.
    const largest = estimateMemory(config.MAX_BODY_BYTES, JSON_BODY_LIMITS.values);
    const total = Math.max(config.MAX_BODY_MEMORY_BYTES, largest);
    this.suppliers = new MemoryBudget({ total, perOwner: Math.max(total / 2, largest) });
  }

  /** Registers the hooks. They must follow the hook that authenticates the caller. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (hasBody(request)) done(this.admit(request, reply));
      else done();
    });
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      const body = this.bodies.get(request);
      if (body) {
        body.isAnswered = true;
        // A response has no socket while it waits behind another one of its connection. It may never close then.
        if (reply.raw.closed || !reply.raw.socket) body.reservation.release();
      }
      done();
    });
  }

  /** The admitted body of a request; undefined if it has none. Its parser must respect the limits. */
  bodyOf(request: FastifyRequest): AdmittedBody | undefined {
    return this.bodies.get(request);
  }

  private admit(request: FastifyRequest, reply: FastifyReply): PortageError | undefined {
    const caller = callerOf(request);
    const isStreamed = caller !== undefined && streamsBody(request);
    const bodyLimit = isStreamed ? Infinity : request.routeOptions.bodyLimit;
    const maxBytes = caller ? bodyLimit : Math.min(bodyLimit, MAX_ANONYMOUS_BODY_BYTES);
    const contentLength = contentLengthOf(request);
    const isTooLarge = contentLength !== undefined && contentLength > maxBytes;
    const reservation = caller
      ? this.suppliers.open(String(caller.organisationId))
      : this.strangers.open(networkOf(request.ip));
    const refusal =
      // Without a route, nothing could use the body.
      (request.is404 ? new PortageError('not_found', 'There is no resource at this address.') : undefined) ??
      (isTooLarge ? bodyTooLarge(maxBytes) : undefined) ??
      refuse(reservation.grow(isStreamed ? UPLOAD_MEMORY_BYTES : estimateMemory(contentLength ?? 0, 0)));
    if (refusal) {
      // Otherwise Node reads and drops the rest, so that the client can read the answer and keep its connection.
      if (isTooLarge || contentLength === undefined) void reply.header('Connection', 'close');
      return refusal;
    }
    this.hold({ reservation, maxBytes, isAnswered: false }, request, reply);
    return undefined;
  }

  /** Holds the memory until the response has ended and the handler has answered. A handler outlives its client. */
  private hold(body: TrackedBody, request: FastifyRequest, reply: FastifyReply): void {
    this.bodies.set(request, body);
    reply.raw.once('close', () => {
      if (body.isAnswered) body.reservation.release();
      else
        setTimeout(() => {
          body.reservation.release();
        }, ABANDONED_AFTER_MS).unref();
    });
  }
}

/** The error for memory that is not available; undefined if it is. */
export function refuse(exceeded: ExceededLimit | undefined): PortageError | undefined {
  if (exceeded === undefined) return undefined;
  return exceeded === 'owner'
    ? new Throttled('The bodies of your concurrent requests are too large together.', RETRY_AFTER_MS)
    : new PortageError(
        'unavailable',
        'The service has too many large requests at once. Send this one again.',
      );
}

/** The Content-Length of a request; undefined for a body that is sent in chunks. Node refuses any other text. */
export function contentLengthOf({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}
