import { Injectable } from '@nestjs/common';
import { ActingOperator, AuditRepository, Database, PortageError } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { AccountInspectionRepository, type WholeAccount } from './account-inspection.repository';
import { type AccountView, toAccountView } from './account-view';

/** Shows a stored account to an operator (`account show`). */
@Injectable()
export class InspectAccount {
  constructor(
    private readonly accounts: AccountInspectionRepository,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Reads the stored data of an account.
   *
   * @param number the platform account number
   * @param page of its long lists; 1 has the newest rows
   * @throws PortageError `operation_refused` if the account does not exist
   */
  async show(number: string, page = 1): Promise<WholeAccount> {
    const account = await this.accounts.find(number, page);
    if (!account)
      throw new PortageError(
        'operation_refused',
        `There is no account ${number}. The account number of a process is in: process show --supplier <CODE> --external-account-number <number>`,
      );
    return account;
  }

  /** @throws PortageError `not_found` if the account does not exist */
  async require(number: string, page = 1): Promise<WholeAccount> {
    const known = readIdentifier(number);
    const account = known === undefined ? undefined : await this.accounts.find(known, page);
    if (!account) throw new PortageError('not_found', 'There is no such account.');
    return account;
  }

  /**
   * The stored data of an account, for the operator API. The audit has an entry for each reading, which is written first.
   *
   * @throws PortageError `not_found`
   */
  async read(number: string, page = 1): Promise<AccountView> {
    const account = await this.require(number, page);
    await this.audit.record(this.database, {
      actor: this.operator.actor,
      action: 'account.read',
      supplier: account.supplier.code,
      subject: number,
    });
    return toAccountView(account);
  }
}
