import { Injectable } from '@nestjs/common';
import { AccountInspectionRepository, type WholeAccount } from '@portage/database';
import { Refusal } from '../refusal';

/** Lets an operator look at an account as it is stored (`account show`). */
@Injectable()
export class InspectAccount {
  constructor(private readonly accounts: AccountInspectionRepository) {}

  /** @throws Refusal when there is no such account */
  async show(number: string): Promise<WholeAccount> {
    const account = await this.accounts.find(number);
    if (!account)
      throw new Refusal(
        `There is no account ${number}. The account number of a process is in: process show --supplier <CODE> --external-account-number <number>`,
      );
    return account;
  }
}
