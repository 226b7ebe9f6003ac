import { findRepeats } from '../terms/find-repeats';
import { isGiven } from '../terms/is-given';
import type { Facts } from './facts';
import type {
  Breach,
  Check,
  FieldPath,
  FieldRule,
  LookupRule,
  MemberBreach,
  ObjectCheck,
  PayloadRule,
  Rule,
  RuleDescription,
  Sentence,
  UseCaseRule,
} from './kinds';
import { areMarketLists, marketScopesOf } from './paths';
import type { ScopeName, Subjects } from './scope';

export type { Check, Report, Rule } from './kinds';

/*
 * The declarations of rules. Defaults: not a completeness rule, no needs; if the payload alone is checked, a linear cost, and
 * the tier `gbr` if all fields that the rule names belong to the British market, else core. `breach` returns the sentence
 * for the sender if the rule is broken.
 */

type Described<R extends Rule> = Omit<R, 'checkedBy' | 'tier' | 'completeness' | 'needs' | 'cost'> &
  Partial<Pick<RuleDescription, 'tier' | 'completeness' | 'needs'>>;

type DescribedPayloadRule = Omit<
  Described<PayloadRule>,
  'at' | 'checks' | 'objectCheck' | 'lists' | 'marketScopes'
> & {
  readonly cost?: 'linear' | 'sorting';
};

/** A rule about objects, which runs once for each. */
export interface ObjectRule<S extends ScopeName> extends DescribedPayloadRule {
  /** The scope, or several whose objects have the field. */
  readonly on: S | readonly S[];
  /** The field of the object at which breaches are reported; without one, that is the object itself. */
  readonly field?: FieldPath<Subjects[S]>;
  readonly breach: (subject: Subjects[S], facts: Facts) => Breach;
}

/** Declares a rule about objects, at one field of theirs. */
export function rule<S extends ScopeName>({ on, field, breach, ...described }: ObjectRule<S>): PayloadRule {
  const scopes: readonly ScopeName[] = typeof on === 'string' ? [on] : on;
  const path: string = field ?? '';
  return payloadRule({
    ...described,
    at: Object.fromEntries(scopes.map((scope) => [scope, [path]])),
    checks: {},
    objectCheck: { on: scopes, field: path, find: breach as ObjectCheck['find'] },
  });
}

/**
 * The breaches of the members of a list: `each(ledgers, (ledger) => ...)`, in which `find` returns the sentence for the
 * sender if the member breaks the rule, or the breaches of each member of a list in it. Each list is a `<i>` of the field.
 */
export function each<List extends readonly unknown[] | null | undefined>(
  list: List,
  find: (member: NonNullable<List>[number], index: number) => Breach,
): Breach {
  if (!list) return undefined;
  let found: MemberBreach[] | undefined;
  for (let i = 0; i < list.length; i += 1) {
    const breach = find(list[i], i);
    if (!breach) continue;
    found ??= [];
    if (typeof breach === 'string') found.push({ indexes: [i], detail: breach });
    else for (const { indexes, detail } of breach) found.push({ indexes: [i, ...indexes], detail });
  }
  return found;
}

/** The breaches of the members of a list whose key an earlier one has. `describe` receives the index of the first of them. */
export function eachRepeat<Member>(
  list: readonly Member[] | null | undefined,
  keyOf: (member: Member) => string | undefined,
  describe: (first: number, member: Member) => string,
): Breach {
  return findRepeats(list, keyOf).map(({ index, first }) => ({
    indexes: [index],
    detail: describe(first, list?.[index] as Member),
  }));
}

type ValueAt<Value, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? ValueAt<NonNullable<ValueOf<Value, Key>>, Rest>
  : NonNullable<ValueOf<Value, Path>>;

type ValueOf<Value, Key extends string> = Key extends keyof Value ? Value[Key] : never;

type WithoutLists<Path extends string> = Path extends `${string}<i>${string}` ? never : Path;

/** Fields, by the scope of the objects that have them. */
export type ValuePlaces = { readonly [S in ScopeName]?: readonly WithoutLists<FieldPath<Subjects[S]>>[] };

/** A rule about the values of fields, each by itself. A field that is not given breaks no rule. */
export interface ValueRule<At extends ValuePlaces> extends DescribedPayloadRule {
  readonly at: At;
  /** True if only the first field that breaks the rule is reported. */
  readonly first?: true;
  readonly breach: (
    value: { [S in keyof At & ScopeName]: ValueAt<Subjects[S], NonNullable<At[S]>[number]> }[keyof At &
      ScopeName],
    facts: Facts,
    subject: Subjects[keyof At & ScopeName],
  ) => Sentence;
}

/** Declares a rule about the values of fields, each by itself. */
export function valueRule<const At extends ValuePlaces>({
  breach,
  first,
  ...described
}: ValueRule<At>): PayloadRule {
  const find = breach as (value: unknown, facts: Facts, subject: object) => Sentence;
  const checkOf = (paths: readonly string[]): Check<object> => {
    const places = paths.map((path) => ({ path, names: path.split('.') }));
    return (subject, facts, report) => {
      for (const { path, names } of places) {
        const value = valueAt(subject, names);
        const detail = isGiven(value) && find(value, facts, subject);
        if (!detail) continue;
        report(path, detail);
        if (first) return;
      }
    };
  };
  const scopes = Object.entries(described.at as Record<string, readonly string[]>);
  const checks = Object.fromEntries(scopes.map(([scope, paths]) => [scope, checkOf(paths)]));
  return payloadRule({ ...described, checks });
}

function valueAt(subject: object, names: readonly string[]): unknown {
  let value = (subject as Fields)[names[0] ?? ''];
  for (let i = 1; i < names.length; i += 1) value = (value as Fields | null | undefined)?.[names[i] ?? ''];
  return value;
}

type Fields = Readonly<Record<string, unknown>>;

/** A rule that reports by itself, at several places or with a path of its own. */
export type CustomRule = DescribedPayloadRule & Pick<PayloadRule, 'at' | 'checks'>;

/** Declares a rule that reports by itself. */
export function customRule(described: CustomRule): PayloadRule {
  return payloadRule(described);
}

/** Declares a rule of any form. */
export function payloadRule(described: CustomRule & Pick<PayloadRule, 'objectCheck' | 'lists'>): PayloadRule {
  const { at, lists } = described;
  const marketScopes = marketScopesOf(at);
  const isOfMarket = lists ? areMarketLists(lists) : marketScopes.length === Object.keys(at).length;
  const tier = isOfMarket ? 'gbr' : 'core';
  return { ...DEFAULTS, tier, cost: 'linear', ...described, marketScopes, checkedBy: 'payload' };
}

const DEFAULTS = { tier: 'core', completeness: false, needs: [] } as const;

/** Declares a rule that a field check enforces. */
export function fieldRule(described: Described<FieldRule>): FieldRule {
  return { ...DEFAULTS, ...described, cost: 'with the field', checkedBy: 'field' };
}

/** Declares a rule that is checked against the database. */
export function lookupRule(described: Described<LookupRule> & Pick<LookupRule, 'cost'>): LookupRule {
  return { ...DEFAULTS, ...described, checkedBy: 'lookup' };
}

/** Declares a rule that a use case checks. */
export function useCaseRule(described: Described<UseCaseRule> & Pick<UseCaseRule, 'cost'>): UseCaseRule {
  return { ...DEFAULTS, ...described, checkedBy: 'use case' };
}
