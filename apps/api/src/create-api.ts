import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { compileContract } from '@portage/account-schema';
import { type Config, httpTimeouts } from '@portage/config';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiModule } from './api.module';
import { answerClientError } from './http/client-error';
import { ErrorFilter } from './http/error-filter';
import { readJsonBody } from './http/json-body';
import { answerMethodNotAllowed, rememberRoutes } from './http/method-not-allowed';
import { OrganisationRateLimit } from './http/rate-limit';
import { requestId } from './http/request-id';
import { RequestHooks } from './http/request-hooks';
import { securityHeaders } from './http/security-headers';
import { mountBullBoard } from './operations/bull-board';
import { publishOpenApi } from './openapi/publish-openapi';
import { answerGraphql } from './platform-token/graphql-route';

/** Longest identifier, percent-encoded byte by byte. */
const MAX_PATH_PARAMETER = 128 * 4 * 3;

/** Builds the whole API, ready to listen. */
export async function createApi(config: Config): Promise<NestFastifyApplication> {
  // A field that cannot be compiled stops the start, and the first account is read as fast as the next.
  compileContract();
  const adapter = new FastifyAdapter({
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: config.TRUSTED_PROXIES ? [...config.TRUSTED_PROXIES] : false,
    ...httpTimeouts(config),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_PATH_PARAMETER,
    },
    genReqId: requestId,
    // An address that no route can be looked up for does not reach the filter by itself.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('X-Request-Id', request.id).headers(securityHeaders(request));
      app.get(ErrorFilter).answer(error, request, reply);
    },
    clientErrorHandler: answerClientError,
    // A request that arrives on an open connection while the server closes is still answered.
    return503OnClosing: false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(config), adapter, {
    bufferLogs: true,
    bodyParser: false,
  });
  app.useLogger(app.get(Logger));
  const fastify = adapter.getInstance();
  const routes = rememberRoutes(fastify);
  readJsonBody(fastify);
  app.get(RequestHooks).register(fastify);
  app.get(OrganisationRateLimit).register(fastify);
  answerGraphql(fastify, config);
  publishOpenApi(app);
  await mountBullBoard(app);
  await app.init();
  answerMethodNotAllowed(fastify, routes);
  return app;
}
