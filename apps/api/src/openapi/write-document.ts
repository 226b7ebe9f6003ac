import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '@portage/platform';
import { ApiModule } from '../api.module';
import { buildOpenApiDocument } from './publish-openapi';

/**
 * Writes the OpenAPI document to a file:
 * `node dist/apps/api/src/openapi/write-document.js FILE`. Nest's preview mode
 * reads modules and controllers without creating providers, so that no database and no queue is needed.
 */
async function main(path: string): Promise<void> {
  const config = loadConfig('api', { DATABASE_URL: 'postgres://127.0.0.1/not-used' });
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.with(config), new FastifyAdapter(), {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  writeFileSync(path, `${JSON.stringify(buildOpenApiDocument(app, config))}\n`);
}

const [, , path] = process.argv;
if (path === undefined) throw new Error('Usage: write-document.js FILE');
main(path).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
