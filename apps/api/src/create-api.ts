import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { compileContract } from '@portage/account-schema';
import { type Config, httpTimeouts, Logger } from '@portage/platform';
import { TokenAttempts } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiModule } from './api.module';
import { publishAsyncApi } from './asyncapi/publish-asyncapi';
import { serveConsole } from './console/serve-console';
import { RequestAdmission } from './http/admission/request-admission';
import { handleClientError, handleStalledConnection } from './http/client-error';
import { ErrorFilter } from './http/error-filter';
import { registerGzipBodies } from './http/gzip-body';
import { registerJsonParser } from './http/json-body';
import { collectRoutes, registerMethodNotAllowed } from './http/method-not-allowed';
import { requestId } from './http/request-id';
import { RequestHooks } from './http/request-hooks';
import { RequestObservation } from './http/request-observation';
import { securityHeaders } from './http/security-headers';
import { registerStreamedBodies } from './http/streamed-body';
import { registerUnreadBodies } from './http/unread-body';
import { mountBullBoard } from './bull-board/bull-board';
import { OperatorAccess } from './operator/operator-access';
import { publishOpenApi } from './openapi/publish-openapi';
import { registerGraphqlRoute } from './platform-token/graphql-route';

/** An identifier of 128 characters, with up to 4 bytes each, percent-encoded. */
const MAX_PATH_PARAMETER_LENGTH = 128 * 4 * 3;

/** Builds the API, ready to listen. */
export async function createApi(config: Config): Promise<NestFastifyApplication> {
  // Compiled at the start, so that a schema error fails the start and the first request is not slow.
  compileContract();
  const adapter = new FastifyAdapter({
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: config.TRUSTED_PROXIES ? [...config.TRUSTED_PROXIES] : false,
    ...httpTimeouts(config),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_PATH_PARAMETER_LENGTH,
    },
    genReqId: requestId,
    // Nest's exception filters do not see errors of the router, such as a malformed URL.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('X-Request-Id', request.id).headers(securityHeaders(request));
      app.get(ErrorFilter).sendError(error, request, reply);
    },
    clientErrorHandler: handleClientError,
    // Requests that arrive on open connections while the server closes are still answered.
    return503OnClosing: false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(config), adapter, {
    // A failed start is reported by one line.
    bufferLogs: true,
    autoFlushLogs: false,
    abortOnError: false,
    bodyParser: false,
  });
  app.useLogger(app.get(Logger));
  app.flushLogs();
  const fastify = adapter.getInstance();
  const routes = collectRoutes(fastify);
  const admission = app.get(RequestAdmission);
  registerJsonParser(fastify, admission);
  registerUnreadBodies(fastify);
  fastify.server.on('timeout', handleStalledConnection);
  app.get(RequestHooks).register(fastify);
  app.get(OperatorAccess).register(fastify);
  app.get(RequestObservation).register(fastify);
  admission.register(fastify);
  registerStreamedBodies(fastify);
  registerGzipBodies(fastify);
  registerGraphqlRoute(fastify, config, app.get(TokenAttempts), app.get(ErrorFilter));
  publishOpenApi(app, config);
  publishAsyncApi(fastify, config);
  await mountBullBoard(app);
  serveConsole(app);
  await app.init();
  registerMethodNotAllowed(fastify, routes);
  return app;
}
