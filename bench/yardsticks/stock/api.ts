import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { importQueue } from '../import-queue';
import { readSettings } from '../settings';
import { AccountsController, IMPORT_QUEUE } from './accounts.controller';
import { databaseModule } from './database';

const settings = readSettings('api');

@Module({
  imports: [databaseModule(settings)],
  controllers: [AccountsController],
  providers: [{ provide: IMPORT_QUEUE, useFactory: () => importQueue(settings) }],
})
class StockModule {}

/** The usual first version of a team: Nest on Fastify, ValidationPipe, `save`, one job per account. */
async function main(): Promise<void> {
  // The paths of the contract end with a slash, which Nest removes from its routes.
  const adapter = new FastifyAdapter({ routerOptions: { ignoreTrailingSlash: true } });
  const app = await NestFactory.create<NestFastifyApplication>(StockModule, adapter, { logger: ['error'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  await app.listen(settings.port, '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}

void main();
