import type { Config } from '@portage/platform';
import type { FastifyInstance } from 'fastify';
import { buildAsyncApiDocument } from './asyncapi-document';

/** Serves the AsyncAPI document at /asyncapi.json. */
export function publishAsyncApi(
  fastify: FastifyInstance,
  { PUBLIC_HOSTS = [] }: Pick<Config, 'PUBLIC_HOSTS'>,
): void {
  const document = JSON.stringify(buildAsyncApiDocument(PUBLIC_HOSTS));
  fastify.get('/asyncapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  );
}
