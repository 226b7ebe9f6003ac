import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ImportProcessEntity, ImportProcessEventEntity } from '@portage/imports';
import { DataSource } from 'typeorm';
import { AccountEntity } from '../../../libs/accounts/src/account/account.entity';
import { ImportProcessPayloadEntity } from '../../../libs/imports/src/processes/import-process-payload.entity';
import { accountTables } from '../../../libs/accounts/src/whole-account/account-rows';
import { newAccount } from '../../../libs/accounts/src/whole-account/new-account';
import { loadSupplier, type Supplier } from '../batched/create-accounts';
import { databasePool } from '../batched/database';
import { readAccount } from '../batched/read-account';
import { processImportJobs } from '../import-queue';
import { readSettings } from '../settings';
import { databaseModule } from './database';

const CONCURRENCY = 16;

const settings = readSettings('worker');

@Module({ imports: [databaseModule(settings)] })
class StockModule {}

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(StockModule, { logger: ['error'] });
  const dataSource = app.get(DataSource);
  const supplier = await loadSupplier(databasePool(settings));
  await processImportJobs(settings, CONCURRENCY, async (processId) =>
    createAccount(dataSource, supplier, processId),
  );
}

/** Creates one account in one transaction with the status of its process, table by table. */
async function createAccount(dataSource: DataSource, supplier: Supplier, processId: string): Promise<void> {
  const process = await dataSource.getRepository(ImportProcessEntity).findOneByOrFail({ id: processId });
  const stored = await dataSource.getRepository(ImportProcessPayloadEntity).findOneByOrFail({ processId });
  const account = readAccount(stored.payload);
  if (!account) throw new Error('The payload of a process is not valid.');
  const now = new Date();
  const number = `A-${Number(processId).toString(16).padStart(8, '0')}`;
  const { rows, cycle, ...own } = newAccount(account, number, supplier, now);
  await dataSource.transaction(async (manager) => {
    const { supplierId, externalAccountNumber, externalIdentifier } = process;
    const { id: accountId } = await manager.save(
      manager.create(AccountEntity, {
        ...own,
        processId,
        supplierId,
        externalAccountNumber,
        externalIdentifier,
        cycleMonths: cycle.months,
        cycleStartDay: cycle.startDay,
        cyclePhase: cycle.phase,
      }),
    );
    for (const table of accountTables)
      if (rows[table].length > 0)
        await manager.insert(
          table,
          rows[table].map((row) => ({ ...row, accountId })),
        );
    const at = now.toISOString();
    await manager.update(ImportProcessEntity, processId, {
      status: 'PROCESSED',
      attempt: 1,
      accountNumber: number,
      accountCreatedAt: at,
      latestEvent: 'PROCESSED',
      latestEventAt: at,
      modifiedAt: at,
    });
    await manager.insert(ImportProcessEventEntity, {
      processId,
      version: 1,
      attempt: 1,
      event: 'PROCESSED',
      supplierId,
      transactionId: () => 'event_transaction_id()',
    });
  });
}

void main();
