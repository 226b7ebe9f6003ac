import type { AccountLookup, Findings, LookupFindings, LookupKind } from '@portage/accounts';
import type { FieldError } from '@portage/platform';

/** Searches stored accounts for values of one account, as the database rules need it. */
export interface Lookups {
  /** @returns the findings; at most one for each value */
  find<Kind extends LookupKind>(lookup: AccountLookup<Kind>): Promise<LookupFindings[Kind][]>;
}

/** Records each lookup and finds nothing, so that those of a whole batch can be made together. */
export class RecordingLookups implements Lookups {
  readonly recorded: AccountLookup[] = [];

  async find<Kind extends LookupKind>(lookup: AccountLookup<Kind>): Promise<LookupFindings[Kind][]> {
    this.recorded.push(lookup);
    return Promise.resolve([]);
  }
}

/** Answers lookups from what was found for them. Rules make one lookup of a kind. */
class FoundLookups implements Lookups {
  constructor(
    private readonly lookups: readonly AccountLookup[],
    private readonly findings: Findings,
  ) {}

  async find<Kind extends LookupKind>({ kind }: AccountLookup<Kind>): Promise<LookupFindings[Kind][]> {
    const index = this.lookups.findIndex((lookup) => lookup.kind === kind);
    return Promise.resolve((this.findings[index] ?? []) as LookupFindings[Kind][]);
  }
}

/**
 * The rules of one account that depend on stored accounts. They hold if none of the `lookups` has findings. Otherwise
 * the findings decide: a finding may be harmless, such as a role that is not exclusive.
 */
export class DatabaseRules {
  /**
   * @param lookups all lookups that the rules make
   * @param evaluate evaluates the rules with the given lookups and returns the errors in the payload's order
   */
  constructor(
    readonly lookups: readonly AccountLookup[],
    private readonly evaluate: (lookups: Lookups) => Promise<FieldError[]>,
  ) {}

  /** Makes the lookups, and evaluates the rules only if any of them has findings. Returns the errors. */
  async findBreaches(lookups: Lookups): Promise<FieldError[]> {
    if (this.lookups.length === 0) return [];
    const findings = await Promise.all(this.lookups.map(async (lookup) => lookups.find(lookup)));
    if (findings.every(({ length }) => length === 0)) return [];
    return this.evaluate(new FoundLookups(this.lookups, findings));
  }
}
