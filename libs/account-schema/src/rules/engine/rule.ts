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

/** A sentence for the sender about a breach, as for {@link Report}; anything else means that there is none. */
export type Breach = string | false | null | undefined;

/** Finds a breach of one object. */
export type FindBreach<Subject> = (subject: Subject, facts: Facts) => Breach;

/** The checks of a rule by scope. */
export type Checks = { readonly [S in ScopeName]?: Check<Subjects[S]> };

/** Checks an account against stored data. Paths are relative to the account. */
export type LookupCheck = (facts: Facts, lookups: AccountLookups, report: Report) => Promise<void>;

/**
 * Fields of the objects of scopes, at which breaches are reported: names, or paths from the object on such as
 * `registers.<i>.tpr`. Where these objects are in a body follows from the classes, see `paths.ts`.
 */
export type FieldsByScope = { readonly [S in ScopeName]?: readonly string[] };

/** Where breaches are reported: fields by scope, or paths from the body on. */
export type Place = FieldsByScope | readonly string[];

/** The description of a rule in the list and in the documentation, however it is checked. */
interface RuleDescription {
  /** The stable error code. */
  readonly code: string;
  /**
   * Where breaches are reported. In paths, `<i>` stands for an index, and `<transactions>` for each list of transactions
   * of the account, of a ledger or of a request.
   */
  readonly at: Place;
  /** `gbr`: a rule of the British market, applied only under the profile `gb-energy`. */
  readonly tier: 'core' | 'gbr';
  /** True if the rule requires optional data; such a rule is applied only under the profile `gb-energy`. */
  readonly completeness: boolean;
  readonly needs: readonly Need[];
  /** One line that explains why the rule exists. */
  readonly reason: string;
  readonly cost: RuleCost;
}

/** A rule that is checked with the payload and the context alone. */
export interface PayloadRule extends RuleDescription {
  readonly checkedBy: 'payload';
  readonly checks: Checks;
  /** The scopes whose checks are applied only under the profile `gb-energy`, of a rule whose tier is core. */
  readonly gbrScopes?: readonly ScopeName[];
  /** The scope and the field of a rule that has no `checks`. */
  readonly single?: { readonly on: ScopeName; readonly field: string; readonly breach: FindBreach<object> };
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

type Described<R extends Rule> = Omit<R, 'checkedBy' | 'tier' | 'completeness' | 'needs' | 'cost'> &
  Partial<Pick<RuleDescription, 'tier' | 'completeness' | 'needs'>>;

type DescribedPayloadRule = Omit<
  Described<PayloadRule>,
  'at' | 'checks' | 'checkOf' | 'single' | 'gbrScopes'
> & {
  readonly cost?: 'linear' | 'sorting';
};

type NameOf<Subject> = keyof Subject & string;

/** The names of the fields that hold lists of objects. */
export type ListOf<Subject> = {
  [Key in NameOf<Subject>]: NonNullable<Subject[Key]> extends readonly object[] ? Key : never;
}[NameOf<Subject>];

type MemberOf<Subject, List extends keyof Subject> =
  NonNullable<Subject[List]> extends readonly (infer Member)[] ? Member : never;

/** A rule about one field of the objects of one scope. */
export interface FieldOfScopeRule<S extends ScopeName> extends DescribedPayloadRule {
  readonly on: S;
  readonly field: NameOf<Subjects[S]>;
  /** The sentence for the sender if the object breaks the rule. */
  readonly breach: FindBreach<Subjects[S]>;
}

/** A rule about one field of each member of a list. */
export interface MemberRule<
  S extends ScopeName,
  List extends ListOf<Subjects[S]>,
> extends DescribedPayloadRule {
  readonly on: S;
  readonly each: List;
  readonly field: NameOf<MemberOf<Subjects[S], List>>;
  /** The sentence for the sender if the member breaks the rule. */
  readonly breach: (member: MemberOf<Subjects[S], List>, facts: Facts, subject: Subjects[S]) => Breach;
}

/** A rule that reports at several places, or with a path of its own. */
export type CustomRule = DescribedPayloadRule & Pick<PayloadRule, 'at' | 'checks' | 'checkOf' | 'gbrScopes'>;

/** Declares a rule about one field. Defaults: tier core, not a completeness rule, no needs, a linear cost. */
export function rule<S extends ScopeName>({
  on,
  field,
  breach,
  ...described
}: FieldOfScopeRule<S>): PayloadRule {
  const single = { on, field, breach: breach as FindBreach<object> };
  return payloadRule({ ...described, at: { [on]: [field] }, checks: {}, single });
}

/** Declares a rule about one field of each member of a list, with the same defaults as `rule`. */
export function memberRule<S extends ScopeName, List extends ListOf<Subjects[S]>>({
  on,
  each,
  field,
  breach,
  ...described
}: MemberRule<S, List>): PayloadRule {
  const check: Check<Subjects[S]> = (subject, facts, report) => {
    const members = (subject[each] ?? []) as readonly MemberOf<Subjects[S], List>[];
    for (const [i, member] of members.entries()) {
      const detail = breach(member, facts, subject);
      if (detail) report(`${each}.${i}.${field}`, detail);
    }
  };
  return payloadRule({ ...described, at: { [on]: [`${each}.<i>.${field}`] }, checks: { [on]: check } });
}

/** Declares a rule that reports by itself, with the same defaults as `rule`. */
export function customRule(described: CustomRule): PayloadRule {
  return payloadRule(described);
}

const DEFAULTS = { tier: 'core', completeness: false, needs: [] } as const;

function payloadRule(
  described: Described<PayloadRule> & Partial<Pick<RuleDescription, 'cost'>>,
): PayloadRule {
  return { ...DEFAULTS, cost: 'linear', ...described, checkedBy: 'payload' };
}

/** Declares a rule that a field check enforces, with the same defaults as `rule`. */
export function fieldRule(described: Described<FieldRule>): FieldRule {
  return { ...DEFAULTS, ...described, cost: 'with the field', checkedBy: 'field' };
}

/** Declares a rule that is checked against the database, with the same defaults as `rule`, except for the cost. */
export function lookupRule(described: Described<LookupRule> & Pick<LookupRule, 'cost'>): LookupRule {
  return { ...DEFAULTS, ...described, checkedBy: 'lookup' };
}

/** Declares a rule that a use case checks, with the same defaults as `rule`, except for the cost. */
export function useCaseRule(described: Described<UseCaseRule> & Pick<UseCaseRule, 'cost'>): UseCaseRule {
  return { ...DEFAULTS, ...described, checkedBy: 'use case' };
}
