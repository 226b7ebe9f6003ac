import { Injectable } from '@nestjs/common';
import { AccountEntity } from '@portage/accounts';
import { AuditRepository, type Executor } from '@portage/platform';
import type { ImportSupplierEntity } from '@portage/tenants';
import { ImportProcessEntity } from './import-process.entity';
import type { ExistingProcess, PendingProcess } from './pending-process.repository';

type ErasableProcess = Pick<ExistingProcess, 'accountNumber' | 'payloadHash'>;

/** True if the process has an account whose personal data was erased. */
export function hasErasedAccount({ accountNumber, payloadHash }: ErasableProcess): boolean {
  return accountNumber !== null && payloadHash.length === 0;
}

/** True if the number of the process can be imported again, because its account was erased and the operator allows it. */
export function canReimport(
  process: ErasableProcess,
  supplier: Pick<ImportSupplierEntity, 'reimportAfterErasure'>,
): boolean {
  return supplier.reimportAfterErasure && hasErasedAccount(process);
}

/** An account that takes the number of an erased one. */
export interface Reimport {
  process: PendingProcess;
  /** Code of the supplier. */
  supplier: string;
}

/** The numbers of accounts that were erased. */
@Injectable()
export class ErasedNumbers {
  constructor(private readonly audit: AuditRepository) {}

  /**
   * Frees the numbers that accounts take from erased ones. The erased account and its process stay, under the number with
   * the platform account number beside it, and without an identifier. Safe to repeat and to run concurrently: a
   * number is freed once.
   *
   * @param executor the transaction that writes the new processes
   */
  async free(reimports: readonly Reimport[], executor: Executor): Promise<void> {
    // In the order of accounts, as their processes are written, so that two batches do not deadlock.
    const ordered = reimports.toSorted((left, right) =>
      left.process.externalAccountNumber < right.process.externalAccountNumber ? -1 : 1,
    );
    for (const { process, supplier } of ordered) {
      const { reimports: erased, externalAccountNumber, supplierId, actor } = process;
      if (!erased) continue;
      const name = { supplierId, externalAccountNumber };
      const { manager } = executor;
      const found = await manager.findOne(ImportProcessEntity, {
        where: { ...name, id: erased.processId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!found || !hasErasedAccount(found)) continue;
      const { id: processId, accountNumber } = found;
      const freed = {
        externalAccountNumber: `${externalAccountNumber} (erased ${accountNumber})`,
        externalIdentifier: null,
      };
      await manager.update(ImportProcessEntity, { id: processId }, freed);
      await manager.update(AccountEntity, { processId }, freed);
      await this.audit.record(executor, {
        actor,
        action: 'account.reimport',
        supplier,
        subject: externalAccountNumber,
        details: { erased_account: accountNumber },
      });
    }
  }
}
