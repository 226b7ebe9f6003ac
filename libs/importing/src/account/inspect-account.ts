import { Injectable } from '@nestjs/common';
import { AccountInspectionRepository, type WholeAccount } from '@portage/database';
import { Refusal } from '../refusal';

/** Shows a stored account to an operator (`account show`). */
@Injectable()
export class InspectAccount {
  constructor(private readonly accounts: AccountInspectionRepository) {}

  /**
   * Reads all stored data of an account.
   *
   * @param number the platform account number
   * @throws Refusal if the account does not exist
   */
  async show(number: string): Promise<WholeAccount> {
    const account = await this.accounts.find(number);
    if (!account)
      throw new Refusal(
        `There is no account ${number}. The account number of a process is in: process show --supplier <CODE> --external-account-number <number>`,
      );
    return account;
  }
}
