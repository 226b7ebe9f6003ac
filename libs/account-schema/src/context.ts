import type { RuleSettings } from './rules/operator/rule-settings';

/**
 * The profiles, which select the rules that apply. `core`: field checks and core rules about fields that are present.
 * `gb-energy`: also completeness rules and the rules of the British energy market.
 */
export const VALIDATION_PROFILES = ['core', 'gb-energy'] as const;
/** The name of a profile. */
export type ValidationProfile = (typeof VALIDATION_PROFILES)[number];

/** Everything besides the payload that a validation depends on: equal payloads and contexts give equal results. */
export interface SchemaContext {
  readonly profile: ValidationProfile;
  /** The supplier's country (ISO 3166-1 alpha-2), whose formats of phone numbers and postcodes apply. */
  readonly region: string;
  /** True reports undocumented fields as errors; false lists them in `ignoredFields`. */
  readonly rejectUndocumentedFields: boolean;
  /** True leaves undocumented fields in the converted value as they came. By default they are left out. */
  readonly keepUndocumentedFields?: boolean;
  readonly now: Date;
  /** IANA name of the time zone that determines the current day. */
  readonly timeZone: string;
  /** The operator's settings and lists that rules use. Omitted parts have permissive defaults. */
  readonly rules?: RuleSettings;
  readonly limits: {
    /** Maximum number of members of an array. */
    readonly arrayItems: number;
    /** Maximum depth of nested objects and arrays; the account itself is the first level. */
    readonly nesting: number;
    /** Maximum number of errors returned, including the one that reports how many there are. */
    readonly errors: number;
  };
}

/** The limits of a service whose operator has not changed them. */
export const DEFAULT_LIMITS: SchemaContext['limits'] = { arrayItems: 10_000, nesting: 32, errors: 1_000 };

/** A validation error: a sentence for people, a stable code, and the dotted path of the value. */
export interface FieldError {
  detail: string;
  code: string;
  attr: string;
}

/**
 * The result of a validation. `value` holds only documented fields, converted to their canonical form. It may
 * share parts with the input, so do not change either afterwards. `errorCount` counts all errors, of which `errors` has
 * at most `limits.errors`. `ignoredFields` are the paths of undocumented fields, at most `limits.errors` of them; if
 * there are more, another entry is `...`.
 */
export type Validated<T> =
  | { ok: true; value: T; ignoredFields: string[] }
  | { ok: false; errors: FieldError[]; errorCount: number; ignoredFields: string[] };
