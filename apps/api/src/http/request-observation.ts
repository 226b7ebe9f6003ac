import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  JobCorrelation,
  Logger,
  Metrics,
  type OpenSpan,
  Tracing,
} from '@portage/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Paths whose requests are not traced, because they are too frequent or of little interest. */
const UNTRACED_PATHS = /^\/(health|metrics|queues|docs)(\/|$)/;

declare module 'fastify' {
  interface FastifyRequest {
    span: OpenSpan | null;
    correlation: JobCorrelation | null;
  }
}

/** Observes every request: its trace, its metrics and its line in the log. */
@Injectable()
export class RequestObservation {
  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Registers the hooks. */
  register(fastify: FastifyInstance): void {
    // This runs after the body is read, because the events of the connection run outside the asynchronous context of a
    // request.
    fastify.addHook('preHandler', (request, reply, done) => {
      const correlation = new JobCorrelation();
      request.correlation = correlation;
      correlation.run(() => {
        this.trace(request, reply, done);
      });
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'unknown';
      const { method } = request;
      const status = reply.statusCode;
      request.span?.end({ 'http.response.status_code': status }, status >= 500);
      this.metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1_000);
      if (this.config.LOG_REQUESTS) this.log(request, reply, route);
      done();
    });
  }

  /** Continues the request in a span, unless it is not traced. */
  private trace(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const { url: route = 'unknown' } = request.routeOptions;
    const isTraced = !UNTRACED_PATHS.test(route);
    const { traceparent } = request.headers;
    const span =
      isTraced &&
      this.tracing.startSpan(
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
    request.span = span;
    span.run(next);
  }

  private log(request: FastifyRequest, reply: FastifyReply, route: string): void {
    const jobId = request.correlation?.jobId;
    const organisationId = request.caller?.organisationId;
    this.logger.log('Request answered.', {
      requestId: request.id,
      method: request.method,
      route,
      statusCode: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ...(jobId === undefined ? {} : { jobId }),
      ...(organisationId === undefined ? {} : { organisationId }),
    });
  }
}
