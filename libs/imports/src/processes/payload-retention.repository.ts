import { Injectable } from '@nestjs/common';
import { AccountEntity } from '@portage/accounts';
import { Database, translateErrors } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { In, IsNull, LessThan, Not } from 'typeorm';
import { ImportProcessCorrectionEntity } from './import-process-correction.entity';
import { ImportProcessPayloadEntity } from './import-process-payload.entity';
import { ImportProcessEntity } from './import-process.entity';

/** The days for which a supplier's payloads are stored after their accounts were created. */
export interface PayloadRetention {
  supplierId: number;
  days: number;
}

/** Erases original payloads of imported accounts whose retention has ended. */
@Injectable()
export class PayloadRetentionRepository {
  constructor(private readonly database: Database) {}

  /** The suppliers that limit the retention of payloads. */
  async retentions(): Promise<PayloadRetention[]> {
    const suppliers = await translateErrors(
      this.database.manager.findBy(ImportSupplierEntity, { retainPayloadDays: Not(IsNull()) }),
    );
    return suppliers.map(({ id: supplierId, retainPayloadDays }) => ({
      supplierId,
      days: retainPayloadDays as number,
    }));
  }

  /**
   * Erases payloads of accounts created before `createdBefore`, at most `limit`.
   *
   * @returns the number of erased payloads
   */
  async erase(supplierId: number, createdBefore: Date, limit: number): Promise<number> {
    return this.database.transaction(async ({ manager }) => {
      // Several workers share the work, and an account with a concurrent write is left for the next run.
      const due = await manager.find(AccountEntity, {
        select: { id: true, processId: true },
        where: { supplierId, createdAt: LessThan(createdBefore.toISOString()), payloadErasedAt: IsNull() },
        order: { createdAt: 'ASC' },
        take: limit,
        lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
      });
      if (due.length === 0) return 0;
      const processes = In(due.map(({ processId }) => processId));
      await manager.delete(ImportProcessPayloadEntity, { processId: processes });
      await manager.update(
        ImportProcessCorrectionEntity,
        { processId: processes, status: Not('PENDING') },
        { changes: null, payloadDigest: null },
      );
      // The payload could be guessed with its digest, and warnings quote it.
      await manager.update(ImportProcessEntity, { id: processes }, { payloadDigest: null, warnings: null });
      await manager.update(
        AccountEntity,
        { id: In(due.map(({ id }) => id)) },
        { payloadErasedAt: () => 'now()' },
      );
      return due.length;
    });
  }
}
