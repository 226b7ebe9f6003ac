import { Injectable } from '@nestjs/common';
import { ImportProcessErasureRepository, type LockedProcess } from '@portage/imports';
import { ActingOperator, AuditRepository, Database, PortageError } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import { SubmissionErasureRepository } from './submission-erasure.repository';

/** Erases the personal data of a process that never became an account. */
@Injectable()
export class EraseProcess {
  constructor(
    private readonly database: Database,
    private readonly suppliers: ImportSupplierRepository,
    private readonly processes: ImportProcessErasureRepository,
    private readonly submissions: SubmissionErasureRepository,
    private readonly audit: AuditRepository,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Erases the payload, the external identifier, the error detail and the stored answers of a process, together with
   * the audit entry. The process stays with its external account number, its status and its events. It cannot be
   * retried or released; its account can be posted again. Safe to repeat.
   *
   * @returns false if it was erased before
   * @throws PortageError `operation_refused` if there is no such process, it is not finished, or it became an account
   */
  async erase(supplierCode: string, externalAccountNumber: string): Promise<boolean> {
    const supplier = await this.suppliers.requireByCode(supplierCode);
    return this.database.transaction(async (executor) => {
      const process = await this.processes.lock(executor, supplier.id, externalAccountNumber);
      if (!process)
        throw new PortageError(
          'operation_refused',
          `Supplier ${supplierCode} has no process for the account number ${externalAccountNumber}.`,
        );
      if (process.accountNumber === null && process.isErased) return false;
      const erased = await this.processes.erase(executor, [process.id], this.operator.actor);
      if (erased.length === 0)
        throw new PortageError(
          'operation_refused',
          `The process ${externalAccountNumber} of ${supplierCode} ${obstacleOf(process)}`,
        );
      await this.submissions.erase(executor, erased);
      await this.audit.record(executor, {
        actor: this.operator.actor,
        action: 'process.erase',
        supplier: supplierCode,
        subject: externalAccountNumber,
      });
      return true;
    });
  }
}

/** Why a process cannot be erased: the rest of a sentence. */
function obstacleOf({ status, accountNumber }: LockedProcess): string {
  if (accountNumber !== null)
    return `became the account ${accountNumber}. Erase it with: account erase ${accountNumber}`;
  return status === 'PENDING'
    ? 'is PENDING. Cancel it first with: process cancel'
    : `is ${status}. Wait until it has ended.`;
}
