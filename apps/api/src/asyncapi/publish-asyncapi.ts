import type { Config } from '@portage/platform';
import type { FastifyInstance } from 'fastify';
import { sendDocument, storeFile } from '../http/stored-file';
import { JSON_TYPE } from '../http/streamed-answer';
import { buildAsyncApiDocument } from './asyncapi-document';

/** Serves the AsyncAPI document at /asyncapi.json, which is made once. */
export function publishAsyncApi(
  fastify: FastifyInstance,
  { PUBLIC_HOSTS = [] }: Pick<Config, 'PUBLIC_HOSTS'>,
): void {
  const document = storeFile(JSON_TYPE, JSON.stringify(buildAsyncApiDocument(PUBLIC_HOSTS)));
  fastify.get('/asyncapi.json', (request, reply) => sendDocument(document, request, reply));
}
