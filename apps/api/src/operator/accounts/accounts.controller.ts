import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { type AccountView, InspectAccount } from '@portage/accounts';
import { EraseAccount } from '@portage/submissions';
import { OperatorEndpoint } from '../operator-endpoint';
import { requireConfirmation } from '../require-confirmation';
import { AccountQuery, EraseAccountRequest, ErasedAccountView } from './accounts.dto';

/** Imported accounts, with their personal data. */
@Controller('operator/v1')
export class OperatorAccountsController {
  constructor(
    private readonly accounts: InspectAccount,
    private readonly erasure: EraseAccount,
  ) {}

  /**
   * Each call writes the audit entry `account.read` before it answers. Of transactions, notes, historical statements,
   * documents and payment instructions it has the newest 500, and `totals` says how many there are.
   */
  @Post('accounts/:number/read')
  @OperatorEndpoint('operator')
  async read(@Param('number') number: string, @Query() { page }: AccountQuery): Promise<AccountView> {
    return this.accounts.read(number, page);
  }

  /** It cannot be undone. Amounts and dates of transactions stay. Safe to repeat. */
  @Post('accounts/:number/erase')
  @OperatorEndpoint('admin')
  async erase(
    @Param('number') number: string,
    @Body() { confirm, keep_documents: keepsDocuments = false }: EraseAccountRequest,
  ): Promise<ErasedAccountView> {
    await this.accounts.require(number);
    requireConfirmation(confirm, number, 'the number of the account');
    const erased = await this.erasure.erase(number, { keepsDocuments });
    return {
      platform_account_number: number,
      erased_at: new Date(erased.erasedAt).toISOString(),
      was_erased_before: !erased.isNew,
      removed_documents: erased.removedDocuments,
      left_documents: erased.leftDocuments,
    };
  }
}
