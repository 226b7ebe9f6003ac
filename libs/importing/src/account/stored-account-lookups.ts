import type { AccountLookups, ChargedPeriod, ReferenceValue } from '@portage/account-schema';
import type { LookupScope } from '@portage/database';
import type { Lookups } from './lookups';

/**
 * Answers the rules' questions about what is stored: about accounts within one organisation and without the account
 * itself; about documents by asking the store.
 */
export class StoredAccountLookups implements AccountLookups {
  constructor(
    private readonly lookups: Lookups,
    private readonly scope: LookupScope,
    readonly missingFiles: AccountLookups['missingFiles'],
  ) {}

  async caisReferencesInUse(references: readonly string[]): Promise<ReadonlySet<string>> {
    const values = references.map((value) => ({ value }));
    return new Set(await this.lookups.ask({ kind: 'cais-reference', scope: this.scope, values }));
  }

  async accountReferencesInUse(references: readonly ReferenceValue[]): Promise<ReadonlySet<number>> {
    return new Set(await this.lookups.ask({ kind: 'reference', scope: this.scope, values: references }));
  }

  async rolesHeldBy(emails: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const values = emails.map((email) => email.toLowerCase());
    const held = new Map<string, string[]>(values.map((email) => [email, []]));
    for (const { email, portfolioRoles, accountRoles, role } of await this.lookups.ask({
      kind: 'email',
      scope: this.scope,
      values: [...held.keys()].map((value) => ({ value })),
    }))
      held
        .get(email)
        ?.push(...(portfolioRoles ?? []), ...(accountRoles ?? []), ...(role === null ? [] : [role]));
    return new Map(emails.map((email, index) => [email, held.get(values[index] as string) ?? []]));
  }

  async chargedPeriods(
    supplyPoints: readonly string[],
  ): Promise<ReadonlyMap<string, readonly ChargedPeriod[]>> {
    const periods = new Map<string, ChargedPeriod[]>();
    const values = [...new Set(supplyPoints)].map((value) => ({ value }));
    for (const { supplyPoint, start_date, end_date } of await this.lookups.ask({
      kind: 'supply-point',
      scope: this.scope,
      values,
    }))
      periods.set(supplyPoint, [...(periods.get(supplyPoint) ?? []), { start_date, end_date }]);
    return periods;
  }
}
