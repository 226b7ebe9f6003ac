import { type RuleSettings } from './rules/operator/rule-settings';

/**
 * Which rules apply. `core`: generic field rules and core rules about data that is present.
 * `gb-energy`: completeness rules and those of the British energy market too.
 */
export type ValidationProfile = 'core' | 'gb-energy';

/** All that a validation may depend on besides the payload: same payload and context, same answer. */
export interface SchemaContext {
  readonly profile: ValidationProfile;
  /** The supplier's country, ISO 3166-1 alpha-2: whose phone numbers and postcodes are meant. */
  readonly region: string;
  readonly rejectUndocumentedFields: boolean;
  readonly now: Date;
  /** IANA name of the time zone in which "today" is meant. */
  readonly timeZone: string;
  /** What the operator set up, as far as rules ask; each part has a default that refuses nothing. */
  readonly rules?: RuleSettings;
  readonly limits: {
    /** Members of one array. */
    readonly arrayItems: number;
    /** Objects and arrays inside each other, the account itself being the first. */
    readonly nesting: number;
    /** Errors returned, the one that says there were more included. */
    readonly errors: number;
  };
}

/** One thing that is wrong: a sentence for people, a stable code, and the dotted path of the input. */
export interface FieldError {
  detail: string;
  code: string;
  attr: string;
}

/**
 * What validation answers. `value` holds documented fields only, read into their canonical form; it may
 * share parts with the input, so neither is to be changed afterwards. `ignoredFields` are the paths of
 * undocumented fields, at most `limits.errors` of them.
 */
export type Validated<T> =
  | { ok: true; value: T; ignoredFields: string[] }
  | { ok: false; errors: FieldError[]; ignoredFields: string[] };
