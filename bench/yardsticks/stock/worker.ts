import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { processImportJobs } from '../import-queue';
import { readSettings } from '../settings';
import { accountOf } from './account-of';
import { databaseModule } from './database';
import { Account } from './entities/account.entity';
import { ImportProcess, ImportProcessEvent } from './entities/import-process.entity';
import type { AccountDto } from './dto/account.dto';

const CONCURRENCY = 16;

const settings = readSettings('worker');

@Module({ imports: [databaseModule(settings)] })
class StockModule {}

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(StockModule, { logger: ['error'] });
  const dataSource = app.get(DataSource);
  await processImportJobs(settings, CONCURRENCY, async (processId) => createAccount(dataSource, processId));
}

/** Creates one account with a cascading `save`, in one transaction with the status of its process. */
async function createAccount(dataSource: DataSource, processId: string): Promise<void> {
  const process = await dataSource
    .getRepository(ImportProcess)
    .findOneOrFail({ where: { id: processId }, relations: { payload: true } });
  await dataSource.transaction(async (manager) => {
    const now = new Date();
    const account = manager.create(Account, accountOf(process, process.payload.payload as AccountDto, now));
    await manager.save(account);
    await manager.update(ImportProcess, processId, {
      ...{ status: 'PROCESSED', attempt: 1, accountNumber: account.number, accountCreatedAt: now },
      ...{ latestEvent: 'PROCESSED', latestEventAt: now, modifiedAt: now },
    });
    await manager.insert(
      ImportProcessEvent,
      ['STARTED', 'PROCESSED'].map((event) => ({ processId, version: 1, attempt: 1, event })),
    );
  });
}

void main();
