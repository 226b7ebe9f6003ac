import type { AccountLookups, ChargedPeriod, ReferenceValue } from '@portage/account-schema';
import type { AccountLookupsRepository, LookupScope } from '@portage/database';

/**
 * Answers the rules' questions about what is stored: about accounts within one organisation and without the account
 * itself; about documents by asking the store.
 */
export class StoredAccountLookups implements AccountLookups {
  constructor(
    private readonly repository: AccountLookupsRepository,
    private readonly scope: LookupScope,
    readonly missingFiles: AccountLookups['missingFiles'],
  ) {}

  async caisReferencesInUse(references: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.repository.caisReferencesInUse(this.scope, references));
  }

  async accountReferencesInUse(references: readonly ReferenceValue[]): Promise<ReadonlySet<number>> {
    return new Set(await this.repository.accountReferencesInUse(this.scope, references));
  }

  async rolesHeldBy(emails: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const held = await this.repository.rolesHeldBy(this.scope, emails);
    return new Map(emails.map((email) => [email, held.get(email.toLowerCase()) ?? []]));
  }

  async chargedPeriods(
    supplyPoints: readonly string[],
  ): Promise<ReadonlyMap<string, readonly ChargedPeriod[]>> {
    const periods = new Map<string, ChargedPeriod[]>();
    for (const { supplyPoint, start_date, end_date } of await this.repository.chargedPeriods(
      this.scope,
      supplyPoints,
    ))
      periods.set(supplyPoint, [...(periods.get(supplyPoint) ?? []), { start_date, end_date }]);
    return periods;
  }
}
