import type { AccountLookups } from '../operator/lookups';
import type { ReferenceList } from '../operator/reference-data';
import type { InstanceSetting, SupplierSetting } from '../operator/settings';
import type { Facts } from './facts';
import type { CodeList } from '../operator/references';
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

/** The breach of a member of a list, or of a list in it: the indexes, and the sentence for the sender. */
export interface MemberBreach {
  readonly indexes: readonly number[];
  readonly detail: string;
}

/** A sentence for the sender about a breach, as for {@link Report}; anything else means that there is none. */
export type Sentence = string | false | null | undefined;

/** A breach of an object, or the breaches of members of a list in it. */
export type Breach = Sentence | readonly MemberBreach[];

/** The checks of a rule by scope. */
export type Checks = { readonly [S in ScopeName]?: Check<Subjects[S]> };

/** Finds the breach of an object, which is reported at a field of it or, if the field is empty, at the object itself. */
export interface ObjectCheck {
  readonly on: readonly ScopeName[];
  readonly field: string;
  readonly find: (subject: object, facts: Facts) => Breach;
}

/** Checks an account against stored data. Paths are relative to the account. */
export type LookupCheck = (facts: Facts, lookups: AccountLookups, report: Report) => Promise<void>;

/** The path of a field of an object: `email`, `prepay_details.debt_balance`; `registers.<i>.tpr` in the members of a list. */
export type FieldPath<Subject> = {
  [Key in keyof Subject & string]: Key | InnerPath<Key, NonNullable<Subject[Key]>>;
}[keyof Subject & string];

type InnerPath<Key extends string, Value> = Value extends readonly (infer One)[]
  ? One extends object
    ? `${Key}.<i>` | `${Key}.<i>.${FieldPath<One>}`
    : `${Key}.<i>`
  : Value extends object
    ? `${Key}.${FieldPath<Value>}`
    : never;

/**
 * Where breaches are reported: fields of the objects of scopes, of which an empty one is the object itself. Where these
 * objects are in a body follows from the classes, see `paths.ts`.
 */
export type Places = { readonly [S in ScopeName]?: readonly (FieldPath<Subjects[S]> | '')[] };

/** The description of a rule in the list and in the documentation, however it is checked. */
export interface RuleDescription {
  /** The stable error code. */
  readonly code: string;
  readonly at: Places;
  /** `gbr`: a rule of the British market, applied only under the profile `gb-energy`. By default that of its fields. */
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
  /** The check of a rule about objects, which has no others. It is run as it is, since most rules are such. */
  readonly objectCheck?: ObjectCheck;
  /** The scopes that are checked only under the profile `gb-energy`: those of fields that only the British market has. */
  readonly marketScopes: readonly ScopeName[];
  /**
   * The operator's lists whose fields the rule is about, in place of `at` and `checks`. Each has the start of the sentence
   * about a value, which is passed quoted, that the list lacks.
   */
  readonly lists?: { readonly [List in CodeList]?: (value: string) => string };
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
