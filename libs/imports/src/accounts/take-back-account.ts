import { Injectable } from '@nestjs/common';
import { AuditRepository, Database, type Executor, PortageError } from '@portage/platform';
import { type Caller, ImportSupplierDirectory, requireOngoing } from '@portage/tenants';
import { ImportProcessFinder } from '../processes/import-process-finder';
import type { ImportProcessStatusView } from '../processes/import-process.dto';
import { ImportStatus } from '../processes/import-status';
import { type AccountHistory, AccountRemovalRepository } from './account-removal.repository';
import { PROCESS } from '../processes/process-error';

/** Takes an imported account back, for its supplier. */
@Injectable()
export class TakeBackAccount {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessFinder,
    private readonly accounts: AccountRemovalRepository,
    private readonly status: ImportStatus,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Deletes the account that an import has created, with all its rows, if nothing was added since. Its process is CANCELLED
   * then, and its number can be imported again. Safe to repeat: a process that was taken back stays so.
   *
   * @param identifier the external identifier of the account
   * @param reason a code for the audit entry, of an operator who takes it back
   * @returns the v2 status afterwards
   * @throws PortageError `not_found`; `account_not_imported`; `account_has_additions`, which names what was added;
   * `account_erased`; `import_process_in_progress` while it is corrected; `import_supplier_migration_not_ongoing`
   */
  async takeBack(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    supplierCode: string,
    identifier: string,
    reason?: string,
  ): Promise<ImportProcessStatusView> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    requireOngoing(supplier, PROCESS);
    const process = await this.processes.find('external_identifier', supplier.id, identifier);
    if (!process) throw new PortageError('not_found', 'No account of this external identifier was sent.');
    if (process.accountNumber !== null) {
      const { accountNumber, externalAccountNumber } = process;
      await this.database.transaction(async (executor) => {
        await this.remove(executor, accountNumber, actor);
        await this.audit.record(executor, {
          actor,
          action: 'account.take_back',
          supplier: supplier.code,
          subject: externalAccountNumber,
          ...(reason === undefined ? {} : { details: { reason } }),
        });
      });
    } else if (process.status !== 'CANCELLED')
      throw new PortageError(
        'account_not_imported',
        `The status of the import is ${process.status}, so there is no account to take back.`,
        PROCESS,
      );
    return (await this.status.readV2(organisationId, supplierCode, identifier)).view;
  }

  private async remove(executor: Executor, number: string, actor: string): Promise<void> {
    const id = await this.accounts.idOf(executor, number);
    // Requests that were being processed have ended after the lock, so that their rows are seen.
    const present = id === undefined ? new Set<string>() : await this.accounts.lock(executor, [id]);
    const history = (await this.accounts.histories(executor, [...present])).get(id ?? '');
    if (id === undefined || !history)
      throw new PortageError('account_not_imported', 'The account was removed at the same time.', PROCESS);
    requireUntouched(history);
    await this.accounts.remove(executor, [id], 'TAKEN_BACK', actor);
  }
}

/** @throws PortageError with the reason why an account is not taken back */
function requireUntouched({ isErased, isBeingCorrected, additions, isEmailSent }: AccountHistory): void {
  if (isErased)
    throw new PortageError('account_erased', 'The personal data of the account was erased.', PROCESS);
  if (isBeingCorrected)
    throw new PortageError(
      'import_process_in_progress',
      'The account is being corrected. Wait for the outcome, and take it back then.',
      PROCESS,
    );
  const added = isEmailSent ? [...additions, 'a welcome e-mail that was sent'] : additions;
  if (added.length > 0)
    throw new PortageError(
      'account_has_additions',
      `The account has what was added since its import: ${added.join(', ')}. It stays; correct it instead.`,
      { ...PROCESS, additions: added },
    );
}
