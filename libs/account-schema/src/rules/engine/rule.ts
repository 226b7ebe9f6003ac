import { type AccountLookups } from '../operator/lookups';
import { type ReferenceList } from '../operator/reference-data';
import { type InstanceSetting, type SupplierSetting } from '../operator/settings';
import { type Facts } from './facts';
import { type ScopeName, type Subjects } from './scope';

/** What a rule needs to know besides the payload. */
export type Need =
  | 'clock'
  | `supplier: ${SupplierSetting | 'migration_state'}`
  | `instance: ${InstanceSetting}`
  | `reference data: ${ReferenceList}`
  | `stored: ${string}`;

/** The heaviest need of a rule, lightest first. */
export type RuleClass = 'self-contained' | 'clock' | 'config' | 'reference-data' | 'database';

/**
 * Reports one breach. `path` starts at the object that is being checked and is empty for the object itself;
 * `detail` is a sentence for the sender that repeats at most 40 characters of a value.
 */
export type Report = (path: string, detail: string) => void;

export type Check<Subject> = (subject: Subject, facts: Facts, report: Report) => void;

export type Checks = { readonly [S in ScopeName]?: Check<Subjects[S]> };

/** Asks what is stored; paths start at the account. */
export type LookupCheck = (facts: Facts, lookups: AccountLookups, report: Report) => Promise<void>;

/** What the list and the documentation say of every rule, however it is checked. */
interface RuleDescription {
  /** The stable code a client sees. */
  readonly code: string;
  /**
   * Path that a breach is reported at, as a pattern. `<transactions>` stands for every list of transactions, of
   * the account, of a ledger or of a request; `…` for what depends on the object.
   */
  readonly path: string;
  /** `gbr`: of the British market, applied under the profile `gb-energy` only. */
  readonly tier: 'core' | 'gbr';
  /** Demands something that need not be there; such a rule is applied under the profile `gb-energy` only. */
  readonly completeness: boolean;
  readonly needs: readonly Need[];
  readonly class: RuleClass;
  /** One line: what goes wrong where the rule is broken. */
  readonly why: string;
}

/** A rule that looks at the payload and at what the context says. */
export interface PayloadRule extends RuleDescription {
  readonly by: 'payload';
  readonly checks: Checks;
}

/** A rule that a field's own format checks while the field is read; it stands in the list to be found there. */
export interface FieldRule extends RuleDescription {
  readonly by: 'field';
  /** The code that is answered in its place, where the field's own check always comes first. */
  readonly answeredAs?: string;
}

/** A rule that asks the database about an account. */
export interface LookupRule extends RuleDescription {
  readonly by: 'lookup';
  readonly lookup: LookupCheck;
}

/** A rule about a request as a whole that the use case answers while it finds the account. */
export interface UseCaseRule extends RuleDescription {
  readonly by: 'use case';
  readonly evaluatedBy: string;
}

export type Rule = PayloadRule | FieldRule | LookupRule | UseCaseRule;

type Described<R extends Rule> = Omit<R, 'by' | 'class' | 'tier' | 'completeness' | 'needs'> &
  Partial<Pick<RuleDescription, 'tier' | 'completeness' | 'needs'>>;

/** Declares a rule; what is not said is the ordinary: core, about what is there, in need of nothing else. */
export function rule(described: Described<PayloadRule>): PayloadRule {
  return { ...withClass(described), ...described, by: 'payload' };
}

export function fieldRule(described: Described<FieldRule>): FieldRule {
  return { ...withClass(described), ...described, by: 'field' };
}

export function lookupRule(described: Described<LookupRule>): LookupRule {
  return { ...withClass(described), ...described, by: 'lookup' };
}

export function useCaseRule(described: Described<UseCaseRule>): UseCaseRule {
  return { ...withClass(described), ...described, by: 'use case' };
}

function withClass({ tier = 'core', completeness = false, needs = [] }: Partial<RuleDescription>) {
  return { tier, completeness, needs, class: heaviestOf(needs) } as const;
}

const CLASSES: readonly (readonly [string, RuleClass])[] = [
  ['stored', 'database'],
  ['reference data', 'reference-data'],
  ['supplier', 'config'],
  ['instance', 'config'],
  ['clock', 'clock'],
];

function heaviestOf(needs: readonly Need[]): RuleClass {
  const heaviest = CLASSES.find(([kind]) => needs.some((need) => need.split(':', 1)[0] === kind));
  return heaviest?.[1] ?? 'self-contained';
}
