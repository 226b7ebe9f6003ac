import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { rememberSuccess } from '@portage/platform';
import { AccountImportRepository } from './account-import.repository';
import { accountNumberOf } from './account-number';

/** Derives account numbers from their sequence with the installation's secret key, which is read once. */
@Injectable()
export class AccountNumbers {
  private readonly key: () => Promise<KeyObject>;

  constructor(imports: AccountImportRepository) {
    this.key = rememberSuccess(async () => imports.accountNumberKey());
  }

  /** @throws DatabaseUnavailable; the next call then reads the key again */
  async derive(sequence: number): Promise<string> {
    return accountNumberOf(sequence, await this.key());
  }
}
