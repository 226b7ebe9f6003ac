import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { Authenticate, type Caller } from '@portage/importing';
import { Logger, Metrics, type OpenSpan, JobCorrelation, Tracing } from '@portage/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Draining } from '../operations/draining';
import { callerOf, storeCaller } from './caller';
import { ErrorFilter } from './error-filter';
import { securityHeaders } from './security-headers';

/** Every path below it requires a token (contract 5). */
const DATA_IMPORT_PATH = /^\/+v[12]\/+data-import(\/|\?|$)/i;

const spans = new WeakMap<FastifyRequest, OpenSpan>();
const correlations = new WeakMap<FastifyRequest, JobCorrelation>();

/** Requests that are too frequent and too uninteresting to be traced. */
const UNTRACED_PATHS = /^\/(health|metrics|queues|docs)(\/|$)/;

/** Hooks around every request: headers, authentication, tracing, metrics and the request log. */
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

  /** Registers the hooks. Their order matters: hooks that are registered later find the caller. */
  register(fastify: FastifyInstance): void {
    // Routes keep the handler that is set when they are registered. Nest sets its own too late, so that Fastify warns at boot.
    fastify.setErrorHandler((error, request, reply) => {
      this.errors.answer(error, request, reply);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      void reply.header('X-Request-Id', request.id).headers(securityHeaders(request));
      // Before the body is read, so that the body of an unauthenticated client is not parsed.
      if (requiresToken(request.raw.url ?? '', request.routeOptions.url))
        this.authenticateRequest(request, done);
      else done();
    });
    // After the body is read, because the events of the connection run outside the asynchronous context of a request.
    fastify.addHook('preHandler', (request, reply, done) => {
      const correlation = new JobCorrelation();
      correlations.set(request, correlation);
      correlation.follow(() => {
        this.trace(request, reply, done);
      });
    });
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      // The client opens its next connection to another instance, so that it loses no request when this one stops.
      if (this.draining.isClosing) void reply.header('Connection', 'close');
      done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown';
      const status = reply.statusCode;
      spans.get(request)?.end({ 'http.response.status_code': status }, status >= 500);
      const seconds = reply.elapsedTime / 1_000;
      this.metrics.requests.observe({ method: request.method, route, status }, seconds);
      if (this.config.LOG_REQUESTS)
        this.logger.info('Request answered.', {
          requestId: request.id,
          method: request.method,
          route,
          statusCode: reply.statusCode,
          milliseconds: Math.round(reply.elapsedTime * 10) / 10,
          ...jobIdField(request),
          ...organisationIdField(callerOf(request)?.organisationId),
        });
      done();
    });
  }

  private authenticateRequest(request: FastifyRequest, done: (error?: Error) => void): void {
    const { authorization } = request.headers;
    const identified = (caller: Caller) => {
      storeCaller(request, caller);
      done();
    };
    const cached = this.authenticate.cachedCaller(authorization);
    if (cached) identified(cached);
    else this.authenticate.caller(authorization).then(identified, done);
  }

  /** Continues the request in a span, unless it is not traced. */
  private trace(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const { url: route = 'unknown' } = request.routeOptions;
    const isTraced = !UNTRACED_PATHS.test(route);
    const { traceparent } = request.headers;
    const span =
      isTraced &&
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

function jobIdField(request: FastifyRequest): { jobId?: string } {
  const jobId = correlations.get(request)?.jobId;
  return jobId === undefined ? {} : { jobId };
}

/** The matched route decides, or the URL as sent if no route matches. */
function requiresToken(url: string, route: string | undefined): boolean {
  return DATA_IMPORT_PATH.test(route ?? url);
}

function organisationIdField(organisationId: number | undefined) {
  return organisationId === undefined ? {} : { organisationId };
}
