import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '@portage/config';
import { Logger } from '@portage/observability';
import { ApiModule } from './api.module';
import { readJsonBody } from './http/json-body';
import { answerMethodNotAllowed, rememberRoutes } from './http/method-not-allowed';
import { requestId } from './http/request-id';
import { RequestHooks } from './http/request-hooks';
import { mountBullBoard } from './operations/bull-board';
import { publishOpenApi } from './openapi/publish-openapi';

/** Longest identifier, percent-encoded byte by byte. */
const MAX_PATH_PARAMETER = 128 * 4 * 3;

/** Builds the whole API, ready to listen. */
export async function createApi(config: Config): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: config.MAX_BODY_BYTES,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_PATH_PARAMETER,
    },
    genReqId: requestId,
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
  publishOpenApi(app);
  await mountBullBoard(app);
  await app.init();
  answerMethodNotAllowed(fastify, routes);
  return app;
}
