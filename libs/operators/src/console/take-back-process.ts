import { Injectable } from '@nestjs/common';
import { TakeBackAccount } from '@portage/imports';
import { ActingOperator, PortageError } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import { ViewProcess } from './view-process';

/**
 * Why an operator takes an account back. A choice, because the audit trail is kept after an erasure and has no free text that
 * could name a person.
 */
export const TAKE_BACK_REASONS = [
  'asked_by_supplier',
  'wrong_account',
  'duplicate',
  'test',
  'other',
] as const;
export type TakeBackReason = (typeof TAKE_BACK_REASONS)[number];

/** Takes an imported account back, for an operator. */
@Injectable()
export class TakeBackProcess {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly views: ViewProcess,
    private readonly accounts: TakeBackAccount,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Does what the supplier's own request does, in the name of the operator. The audit entry `account.take_back` has the
   * reason. Safe to repeat.
   *
   * @throws PortageError `not_found`, and those of {@link TakeBackAccount.takeBack}
   */
  async takeBack(code: string, id: string, reason: TakeBackReason): Promise<void> {
    const { external_identifier: identifier } = await this.views.read(code, id);
    if (identifier === null)
      throw new PortageError('account_erased', 'The personal data of the account was erased.');
    const { organisationId } = await this.suppliers.requireByCode(code);
    await this.accounts.takeBack({ organisationId, actor: this.operator.actor }, code, identifier, reason);
  }
}
