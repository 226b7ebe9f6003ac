import type { AccountLookups } from '../operator/lookups';
import type { ReferenceList } from '../operator/reference-data';
import type { InstanceSetting, SupplierSetting } from '../operator/settings';
import type { ObjectType } from '../../vocabulary/shape';
import type { Facts } from './facts';
import type { ScopeName, Subjects } from './scope';

/** A dependency of a rule besides the payload. */
export type Need =
  | 'clock'
  | `supplier: ${SupplierSetting | 'migration_state'}`
  | `instance: ${InstanceSetting}`
  | `reference data: ${ReferenceList}`
  | `stored: ${string}`;

/** The class of a rule: its most expensive need. In ascending order of cost. */
export type RuleClass = 'self-contained' | 'clock' | 'config' | 'reference-data' | 'database';

/** How the work of a rule grows, and what it means for the reader of the documentation. */
export const RULE_COSTS = {
  linear: 'reads each value that it names once',
  sorting: 'sorts the members of a list, n log n for n members',
  'with the field': 'part of reading the field, once',
  'one probe a value':
    'one probe of an index for each different value, in the data of one organisation, however much is stored',
  'one probe a request': 'one probe of an index for a request',
  'one check a document': 'one question to the document store for each different path',
} as const;

/** The name of a cost. */
export type RuleCost = keyof typeof RULE_COSTS;

/**
 * Reports a breach. `path` is relative to the checked object and empty for the object itself. `detail` is a sentence
 * for the sender that quotes at most 40 characters of a value.
 */
export type Report = (path: string, detail: string) => void;

/** Checks one object and reports its breaches. */
export type Check<Subject> = (subject: Subject, facts: Facts, report: Report) => void;

/** The checks of a rule by scope. */
export type Checks = { readonly [S in ScopeName]?: Check<Subjects[S]> };

/** Checks an account against stored data. Paths are relative to the account. */
export type LookupCheck = (facts: Facts, lookups: AccountLookups, report: Report) => Promise<void>;

/** The description of a rule in the list and in the documentation, however it is checked. */
interface RuleDescription {
  /** The stable error code. */
  readonly code: string;
  /** True if the catalogue of the contract does not have the rule. Otherwise a test compares the two. */
  readonly beyondCatalogue?: true;
  /**
   * Pattern of the path at which a breach is reported. `<transactions>` stands for each list of transactions of the
   * account, of a ledger or of a request; `…` stands for parts that depend on the object.
   */
  readonly path: string;
  /** `gbr`: a rule of the British market, applied only under the profile `gb-energy`. */
  readonly tier: 'core' | 'gbr';
  /** True if the rule requires optional data; such a rule is applied only under the profile `gb-energy`. */
  readonly completeness: boolean;
  readonly needs: readonly Need[];
  readonly class: RuleClass;
  /** One line that explains why the rule exists. */
  readonly reason: string;
  readonly cost: RuleCost;
}

/** A rule that is checked with the payload and the context alone. */
export interface PayloadRule extends RuleDescription {
  readonly checkedBy: 'payload';
  readonly checks: Checks;
  /** The check of the objects of a class, if the decorators of its fields ask for one. */
  readonly checkOf?: (type: ObjectType) => Check<object> | undefined;
}

/** A rule that the field check enforces. It is listed for completeness of the documentation. */
export interface FieldRule extends RuleDescription {
  readonly checkedBy: 'field';
  /** The code that is reported instead, if the field check always precedes the rule. */
  readonly reportedAs?: string;
}

/** A rule that checks an account against the database. */
export interface LookupRule extends RuleDescription {
  readonly checkedBy: 'lookup';
  readonly lookup: LookupCheck;
}

/** A rule about a whole request, checked by the use case when it looks up the account. */
export interface UseCaseRule extends RuleDescription {
  readonly checkedBy: 'use case';
  readonly checkedIn: string;
}

/** A rule of any kind. */
export type Rule = PayloadRule | FieldRule | LookupRule | UseCaseRule;

type Described<R extends Rule> = Omit<R, 'checkedBy' | 'class' | 'tier' | 'completeness' | 'needs' | 'cost'> &
  Partial<Pick<RuleDescription, 'tier' | 'completeness' | 'needs'>>;

/** Declares a payload rule. Defaults: tier core, not a completeness rule, no needs, a linear cost. */
export function rule(
  described: Described<PayloadRule> & { readonly cost?: 'linear' | 'sorting' },
): PayloadRule {
  return { cost: 'linear', ...withClass(described), ...described, checkedBy: 'payload' };
}

/** Declares a rule that a field check enforces, with the same defaults as `rule`. */
export function fieldRule(described: Described<FieldRule>): FieldRule {
  return { ...withClass(described), ...described, cost: 'with the field', checkedBy: 'field' };
}

/** Declares a rule that is checked against the database, with the same defaults as `rule`, except for the cost. */
export function lookupRule(described: Described<LookupRule> & Pick<LookupRule, 'cost'>): LookupRule {
  return { ...withClass(described), ...described, checkedBy: 'lookup' };
}

/** Declares a rule that a use case checks, with the same defaults as `rule`, except for the cost. */
export function useCaseRule(described: Described<UseCaseRule> & Pick<UseCaseRule, 'cost'>): UseCaseRule {
  return { ...withClass(described), ...described, checkedBy: 'use case' };
}

function withClass({ tier = 'core', completeness = false, needs = [] }: Partial<RuleDescription>) {
  return { tier, completeness, needs, class: heaviestClassOf(needs) } as const;
}

const CLASSES: readonly (readonly [string, RuleClass])[] = [
  ['stored', 'database'],
  ['reference data', 'reference-data'],
  ['supplier', 'config'],
  ['instance', 'config'],
  ['clock', 'clock'],
];

function heaviestClassOf(needs: readonly Need[]): RuleClass {
  const heaviest = CLASSES.find(([kind]) => needs.some((need) => need.split(':', 1)[0] === kind));
  return heaviest?.[1] ?? 'self-contained';
}
