import { Injectable } from '@nestjs/common';
import { type Account } from '@portage/account-schema';
import {
  findSharedValues,
  MANY_ACCOUNTS,
  type SharedValue,
  warnOfContact,
  warnOfMandate,
  warnOfSupplyPoint,
} from '@portage/account-schema/service';
import { type LookupScope, SharedValuesRepository, type StoredShare } from '@portage/accounts';
import { type FieldError, Logger } from '@portage/platform';

/** An account of a batch that is compared with others. */
export interface ComparedAccount {
  account: Account;
  scope: LookupScope;
}

interface PlacedValue extends SharedValue {
  scope: LookupScope;
  /** The same for values that are compared. */
  key: string;
}

const NOT_STORED: StoredShare = { otherAccount: null, accounts: 0 };

/**
 * Warns of values that other accounts have as well: those that are stored, and those of the same batch. Telephone numbers
 * are compared within the batch only, because no index has them.
 */
@Injectable()
export class SharedValues {
  constructor(
    private readonly stored: SharedValuesRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * Compares the accounts of a batch, with one statement. A comparison that fails costs its warnings, and no import.
   *
   * @returns the warnings of each account, in the order of the accounts
   */
  async findWarnings(batch: readonly ComparedAccount[]): Promise<FieldError[][]> {
    const values = batch.map(({ account, scope }) =>
      findSharedValues(account).map(({ kind, value, attr }): PlacedValue => {
        const key = keyOf(kind, value, scope);
        return { kind, value, attr, scope, key };
      }),
    );
    const shares = await this.readShares(values.flat());
    const ofBatch = groupByKey(values.flat());
    return values.map((own) =>
      own.flatMap((value) => {
        const others = (ofBatch.get(value.key) ?? []).filter(({ scope }) => !isSame(scope, value.scope));
        return warningsOf(value, shares.get(value) ?? NOT_STORED, others);
      }),
    );
  }

  private async readShares(values: readonly PlacedValue[]): Promise<Map<PlacedValue, StoredShare>> {
    const compared = values.flatMap((one) => (one.kind === 'phone' ? [] : [{ one, kind: one.kind }]));
    if (compared.length === 0) return new Map();
    try {
      const shares = await this.stored.read(
        compared.map(({ one, kind }) => ({ ...one.scope, kind, value: one.value })),
        MANY_ACCOUNTS,
      );
      return new Map(compared.map(({ one }, i) => [one, shares[i] ?? NOT_STORED]));
    } catch (error) {
      this.logger.warn('Accounts were not compared with stored ones, so that warnings are missing.', {
        error,
      });
      return new Map();
    }
  }
}

function warningsOf(value: PlacedValue, share: StoredShare, others: readonly PlacedValue[]): FieldError[] {
  if (value.kind === 'supply-point' || value.kind === 'mandate') {
    const other = share.otherAccount ?? others[0]?.scope.externalAccountNumber;
    if (other === undefined) return [];
    return [value.kind === 'mandate' ? warnOfMandate(value, other) : warnOfSupplyPoint(value, other)];
  }
  const accounts = 1 + share.accounts + others.length;
  return accounts >= MANY_ACCOUNTS ? [warnOfContact(value)] : [];
}

function groupByKey(values: readonly PlacedValue[]): Map<string, PlacedValue[]> {
  const groups = new Map<string, PlacedValue[]>();
  for (const value of values) {
    const group = groups.get(value.key);
    if (group) group.push(value);
    else groups.set(value.key, [value]);
  }
  return groups;
}

/** Supply points and mandates are compared within a supplier, contacts within an organisation. */
function keyOf(kind: SharedValue['kind'], value: string, scope: LookupScope): string {
  return `${kind} ${kind === 'supply-point' || kind === 'mandate' ? scope.supplierId : scope.organisationId} ${value}`;
}

function isSame(one: LookupScope, other: LookupScope): boolean {
  return one.supplierId === other.supplierId && one.externalAccountNumber === other.externalAccountNumber;
}
