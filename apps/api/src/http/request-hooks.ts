import { Injectable } from '@nestjs/common';
import { PortageError } from '@portage/platform';
import { Authenticate, type Caller } from '@portage/tenants';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Draining } from '../health/draining';
import { ErrorFilter } from './error-filter';
import { registerMisplacedParameters } from './misplaced-parameters';
import { registerIgnoredParameters } from './query-parameters';
import { securityHeaders } from './security-headers';

/** Paths that require a token (contract, "Access"). */
const DATA_IMPORT_PATH = /^\/+v[12]\/+data-import(\/|\?|$)/i;

/** Hooks around every request: response headers, authentication and errors outside of controllers. */
@Injectable()
export class RequestHooks {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly draining: Draining,
    private readonly errors: ErrorFilter,
  ) {}

  /** Registers the hooks. Hooks that are registered later find the caller of the request. */
  register(fastify: FastifyInstance): void {
    for (const property of ['caller', 'operator', 'accessCheck', 'admitted', 'span', 'correlation'])
      fastify.decorateRequest(property, null);
    // A route uses the error handler that is set when it is registered. Nest sets its own later, so that Fastify warns.
    fastify.setErrorHandler((error, request, reply) => {
      this.errors.sendError(error, request, reply);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      void reply.header('X-Request-Id', request.id).headers(securityHeaders(request));
      const refusal = refusalOfFraming(request);
      // Before the body is read, so that the body of an unauthenticated client is not parsed.
      if (refusal) {
        void reply.header('Connection', 'close');
        done(refusal);
      } else if (requiresToken(request.raw.url ?? '', request.routeOptions.url))
        this.authenticateRequest(request, done);
      else done();
    });
    registerMisplacedParameters(fastify, (route) => DATA_IMPORT_PATH.test(route));
    registerIgnoredParameters(fastify, (route) => DATA_IMPORT_PATH.test(route));
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      // The client opens its next connection to another instance, so that it loses no request when this one stops.
      if (this.draining.isClosing) void reply.header('Connection', 'close');
      done();
    });
  }

  private authenticateRequest(request: FastifyRequest, done: (error?: Error) => void): void {
    const { authorization } = request.headers;
    const accept = (caller: Caller) => {
      request.caller = caller;
      request.accessCheck = async () => this.authenticate.recheck(caller);
      done();
    };
    // Fastify answers an error that is thrown here like one that is passed to `done`.
    const caller = this.authenticate.caller(authorization);
    if (caller instanceof Promise) caller.then(accept, done);
    else accept(caller);
  }
}

/** HTTP/1.0 has no chunks (RFC 9112, 6.1). A proxy of that version would find the end of the body elsewhere. */
function refusalOfFraming({ raw }: FastifyRequest): PortageError | undefined {
  if (raw.httpVersion !== '1.0' || raw.headers['transfer-encoding'] === undefined) return undefined;
  return new PortageError('parse_error', 'A request of HTTP/1.0 has no Transfer-Encoding.');
}

/** The matched route decides, or the URL as sent if no route matches. */
function requiresToken(url: string, route: string | undefined): boolean {
  return DATA_IMPORT_PATH.test(route ?? url);
}
