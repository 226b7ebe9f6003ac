import type {
  AccountLookups,
  ChargedPeriod,
  PeriodToCharge,
  ReferenceValue,
} from '@portage/account-schema/service';
import type { LookupScope } from '@portage/accounts';
import type { Lookups } from './database-rules';

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
    const values = [...new Set(references)].map((value) => ({ value }));
    return new Set(await this.lookups.find({ kind: 'cais-reference', scope: this.scope, values }));
  }

  async accountReferencesInUse(references: readonly ReferenceValue[]): Promise<ReadonlySet<number>> {
    return new Set(await this.lookups.find({ kind: 'reference', scope: this.scope, values: references }));
  }

  async rolesHeldBy(emails: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const values = emails.map((email) => email.toLowerCase());
    const held = new Map<string, readonly string[]>();
    for (const { email, roles } of await this.lookups.find({
      kind: 'email',
      scope: this.scope,
      values: [...new Set(values)].map((value) => ({ value })),
    }))
      held.set(email, roles);
    return new Map(emails.map((email, index) => [email, held.get(values[index] as string) ?? []]));
  }

  async chargedPeriods(periods: readonly PeriodToCharge[]): Promise<ReadonlyMap<number, ChargedPeriod>> {
    const clashes = await this.lookups.find({
      kind: 'charged-period',
      scope: this.scope,
      values: periods.map(({ supplyPoint, start_date, end_date }) => ({
        value: supplyPoint,
        startDate: start_date,
        endDate: end_date,
      })),
    });
    return new Map(clashes.map(({ index, start_date, end_date }) => [index, { start_date, end_date }]));
  }
}
