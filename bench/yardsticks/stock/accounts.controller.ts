import { createHash } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { Account } from '@portage/account-schema';
import { ImportProcessEntity, ImportProcessEventEntity } from '@portage/imports';
import { DataSource } from 'typeorm';
import { ImportProcessPayloadEntity } from '../../../libs/imports/src/processes/import-process-payload.entity';
import { importJob, type ImportQueue } from '../import-queue';

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

  @Post('v2/data-import/accounts/')
  @HttpCode(201)
  async schedule(
    @Body() { external_account_number, external_identifier }: Account,
    @Req() { body: payload }: { body: object },
  ): Promise<object> {
    const id = await this.dataSource.transaction(async (manager) => {
      const { id: processId } = await manager.save(
        manager.create(ImportProcessEntity, {
          supplierId: SUPPLIER_ID,
          isDryRun: false,
          status: 'PENDING',
          latestEvent: 'CREATED',
          externalAccountNumber: external_account_number,
          externalIdentifier: external_identifier ?? external_account_number,
          payloadHash: createHash('sha256').update(JSON.stringify(payload)).digest(),
        }),
      );
      await manager.insert(ImportProcessPayloadEntity, { processId, payload });
      await manager.insert(ImportProcessEventEntity, {
        processId,
        version: 1,
        attempt: 0,
        event: 'SCHEDULED',
        actor: 'api key bench',
      });
      return processId;
    });
    const { name, data, opts } = importJob(id);
    await this.queue.add(name, data, opts);
    return {};
  }
}
