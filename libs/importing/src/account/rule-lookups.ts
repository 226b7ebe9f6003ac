import type { AccountLookups, ChargedPeriod, ReferenceValue } from '@portage/account-schema';
import type { LookupScope } from '@portage/database';
import type { Lookups } from './ports/lookups';

/**
 * Translates the queries of the database rules of one account into lookups. Stored accounts are searched within the
 * organisation and without the account itself; documents are checked in the document store.
 */
export class RuleLookups implements AccountLookups {
  constructor(
    private readonly lookups: Lookups,
    private readonly scope: LookupScope,
    readonly missingFiles: AccountLookups['missingFiles'],
  ) {}

  async caisReferencesInUse(references: readonly string[]): Promise<ReadonlySet<string>> {
    const values = references.map((value) => ({ value }));
    return new Set(await this.lookups.find({ kind: 'cais-reference', scope: this.scope, values }));
  }

  async accountReferencesInUse(references: readonly ReferenceValue[]): Promise<ReadonlySet<number>> {
    return new Set(await this.lookups.find({ kind: 'reference', scope: this.scope, values: references }));
  }

  async rolesHeldBy(emails: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const values = emails.map((email) => email.toLowerCase());
    const held = new Map<string, string[]>(values.map((email) => [email, []]));
    for (const { email, portfolioRoles, accountRoles, role } of await this.lookups.find({
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
    for (const { supplyPoint, start_date, end_date } of await this.lookups.find({
      kind: 'supply-point',
      scope: this.scope,
      values,
    }))
      periods.set(supplyPoint, [...(periods.get(supplyPoint) ?? []), { start_date, end_date }]);
    return periods;
  }
}
