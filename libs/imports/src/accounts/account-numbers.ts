import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountImportRepository } from './account-import.repository';
import { accountNumberOf } from './account-number';

/** Derives account numbers from their sequence with the installation's secret key, which is read once. */
@Injectable()
export class AccountNumbers {
  private key: Promise<KeyObject> | undefined;

  constructor(private readonly imports: AccountImportRepository) {}

  /** @throws DatabaseUnavailable; the next call then reads the key again */
  async derive(sequence: number): Promise<string> {
    this.key ??= this.imports.accountNumberKey().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return accountNumberOf(sequence, await this.key);
  }
}
