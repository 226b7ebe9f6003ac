import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { importQueue } from '../import-queue';
import { settingsOf } from '../settings';
import { AccountsController, IMPORT_QUEUE } from './accounts.controller';
import { databaseModule } from './database';

const settings = settingsOf('api');

@Module({
  imports: [databaseModule(settings)],
  controllers: [AccountsController],
  providers: [{ provide: IMPORT_QUEUE, useFactory: () => importQueue(settings) }],
})
class StockModule {}

/** What a team would write first: Nest on Express, the ValidationPipe, `save`, one job an account. */
async function main(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(StockModule, { logger: ['error'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  await app.listen(settings.port, '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}

void main();
