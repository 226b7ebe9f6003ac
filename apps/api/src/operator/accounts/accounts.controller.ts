import { Body, Controller, Param, Post } from '@nestjs/common';
import { type AccountView, EraseAccount, InspectAccount } from '@portage/importing';
import { readBody, requireTyped } from '../read-input';
import { DescribeAccount, DescribeEraseAccount } from './accounts.openapi';

type Input = Record<string, unknown>;

/** What the erasure of an account came to. */
interface ErasedAccountView {
  account_number: string;
  erased_at: string;
  was_erased_before: boolean;
  removed_documents: string[];
  left_documents: string[];
}

/** Imported accounts, with their personal data. */
@Controller('operator/v1')
export class OperatorAccountsController {
  constructor(
    private readonly accounts: InspectAccount,
    private readonly erasure: EraseAccount,
  ) {}

  @Post('accounts/:number/read')
  @DescribeAccount()
  async read(@Param('number') number: string): Promise<AccountView> {
    return this.accounts.read(number);
  }

  @Post('accounts/:number/erase')
  @DescribeEraseAccount()
  async erase(@Param('number') number: string, @Body() body: Input | undefined): Promise<ErasedAccountView> {
    const { typed, keepsDocuments } = readBody(body, (reader) => {
      reader.only('confirm', 'keep_documents');
      return { typed: reader.text('confirm'), keepsDocuments: reader.boolean('keep_documents') ?? false };
    });
    await this.accounts.require(number);
    requireTyped(typed, number, 'the number of the account');
    const erased = await this.erasure.erase(number, { keepsDocuments });
    return {
      account_number: number,
      erased_at: new Date(erased.erasedAt).toISOString(),
      was_erased_before: !erased.isNew,
      removed_documents: erased.removedDocuments,
      left_documents: erased.leftDocuments,
    };
  }
}
