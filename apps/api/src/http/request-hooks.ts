import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Authenticate, type Caller } from '@portage/importing';
import { Logger, Metrics, type OpenSpan, JobCorrelation, Tracing } from '@portage/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Draining } from '../operations/draining';
import { callerOf, setCaller } from './caller';
import { ErrorFilter } from './error-filter';
import { securityHeaders } from './security-headers';

/** Everything below needs a token (contract 5). */
const GUARDED = /^\/+v[12]\/+data-import(\/|\?|$)/i;

const spans = new WeakMap<FastifyRequest, OpenSpan>();
const trails = new WeakMap<FastifyRequest, JobCorrelation>();

const UNTOLD = /^\/(health|metrics|queues|docs)(\/|$)/;

/** What happens to every request around its controller. */
@Injectable()
export class RequestHooks {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly draining: Draining,
    private readonly errors: ErrorFilter,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  register(fastify: FastifyInstance): void {
    // Nest sets one as well, but only after its routes have taken the one that is there; Fastify warns of it at boot.
    fastify.setErrorHandler((error, request, reply) => {
      this.errors.answer(error, request, reply);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      void reply.header('X-Request-Id', request.id).headers(securityHeaders(request));
      // Before the body is read: a stranger's ten megabytes are not worth parsing.
      if (isGuarded(request.raw.url ?? '', request.routeOptions.url)) this.identify(request, done);
      else done();
    });
    // Once the body is read: its events come from the connection, which follows nobody.
    fastify.addHook('preHandler', (request, reply, done) => {
      const trail = new JobCorrelation();
      trails.set(request, trail);
      trail.follow(() => {
        this.trace(request, reply, done);
      });
    });
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      // The client opens its next connection elsewhere instead of losing a request on this one.
      if (this.draining.isClosing) void reply.header('Connection', 'close');
      done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown';
      const status = reply.statusCode;
      spans.get(request)?.end({ 'http.response.status_code': status }, status >= 500);
      const seconds = reply.elapsedTime / 1_000;
      this.metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, seconds);
      if (this.config.LOG_REQUESTS)
        this.logger.info('Request answered.', {
          requestId: request.id,
          method: request.method,
          route,
          statusCode: reply.statusCode,
          milliseconds: Math.round(reply.elapsedTime * 10) / 10,
          ...jobOf(request),
          ...organisation(callerOf(request)?.organisationId),
        });
      done();
    });
  }

  private identify(request: FastifyRequest, done: (error?: Error) => void): void {
    const { authorization } = request.headers;
    const identified = (caller: Caller) => {
      setCaller(request, caller);
      done();
    };
    // Fastify answers an error that is thrown here like one that is passed to `done`.
    const caller = this.authenticate.caller(authorization);
    if (caller instanceof Promise) caller.then(identified, done);
    else identified(caller);
  }

  /** Health and metrics are asked for every few seconds and tell nobody anything. */
  private trace(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const { url: route = 'unknown' } = request.routeOptions;
    const isTold = !UNTOLD.test(route);
    const { traceparent } = request.headers;
    const span =
      isTold &&
      this.tracing.open(
        `${request.method} ${route}`,
        {
          kind: 'server',
          parent: typeof traceparent === 'string' ? traceparent : undefined,
          attributes: {
            'http.request.method': request.method,
            'http.route': route,
            'request.id': request.id,
          },
        },
        Date.now() - reply.elapsedTime,
      );
    if (!span) {
      next();
      return;
    }
    spans.set(request, span);
    span.within(next);
  }
}

function jobOf(request: FastifyRequest): { jobId?: string } {
  const jobId = trails.get(request)?.jobId;
  return jobId === undefined ? {} : { jobId };
}

/** The address as sent decides for unknown paths, the matched route for all others. */
function isGuarded(url: string, route: string | undefined): boolean {
  return GUARDED.test(route ?? url);
}

function organisation(organisationId: number | undefined) {
  return organisationId === undefined ? {} : { organisationId };
}
