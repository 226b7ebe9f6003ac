import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type AccountView, EraseAccount, InspectAccount } from '@portage/accounts';
import { OperatorEndpoint } from '../operator-endpoint';
import { requireConfirmation } from '../require-confirmation';
import { AccountQuery, EraseAccountRequest, ErasedAccountView, InspectedAccount } from './accounts.dto';
import { exampleAccount, exampleErasedAccount } from './accounts.examples';

/** Imported accounts, with their personal data. */
@ApiTags('Accounts')
@Controller('operator/v1')
export class OperatorAccountsController {
  constructor(
    private readonly accounts: InspectAccount,
    private readonly erasure: EraseAccount,
  ) {}

  @Post('accounts/:number/read')
  @OperatorEndpoint({
    id: 'readAccount',
    role: 'operator',
    summary: 'Read an account with its personal data',
    description:
      'Each call writes the audit entry `account.read` before it answers. Of transactions, notes, historical statements, documents and payment instructions it has the newest 500, and `totals` says how many there are.',
  })
  @ApiOkResponse({ description: 'The account.', type: InspectedAccount, example: exampleAccount })
  async read(@Param('number') number: string, @Query() { page }: AccountQuery): Promise<AccountView> {
    return this.accounts.read(number, page);
  }

  @Post('accounts/:number/erase')
  @OperatorEndpoint({
    id: 'eraseAccount',
    role: 'admin',
    summary: 'Erase the personal data of an account',
    description: 'It cannot be undone. Amounts and dates of transactions stay. Safe to repeat.',
    errors: ['validation_error', 'confirmation_required', 'operation_refused'],
  })
  @ApiBody({ type: EraseAccountRequest, examples: { erase: { value: { confirm: 'A-9c41e07b' } } } })
  @ApiOkResponse({ description: 'What was erased.', type: ErasedAccountView, example: exampleErasedAccount })
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
