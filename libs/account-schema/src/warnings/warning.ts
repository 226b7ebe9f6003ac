import type { Need, Places, Rule } from '../rules/engine/kinds';
import {
  customRule,
  type CustomRule,
  type ObjectRule,
  rule,
  useCaseRule,
  type ValuePlaces,
  valueRule,
  type ValueRule,
} from '../rules/engine/rule';
import type { ScopeName } from '../rules/engine/scope';

/**
 * A check whose finding refuses nothing: the value is allowed, but implausible. Declared and run like a rule, in a
 * catalogue of its own.
 */
export type Warning = Rule & {
  /** What to do if the value is a mistake: the end of a sentence that begins with "If it is a mistake,". */
  readonly mend: string;
};

type WithMend = Pick<Warning, 'mend'>;

/** Declares a warning about objects, see `rule`. Findings say what is implausible, with the value. */
export function warning<S extends ScopeName>(described: ObjectRule<S> & WithMend): Warning {
  return { ...rule(described), mend: described.mend };
}

/** Declares a warning about values, see `valueRule`. */
export function valueWarning<const At extends ValuePlaces>(described: ValueRule<At> & WithMend): Warning {
  return { ...valueRule(described), mend: described.mend };
}

/** Declares a warning that reports by itself, see `customRule`. */
export function customWarning(described: CustomRule & WithMend): Warning {
  return { ...customRule(described), mend: described.mend };
}

/** Declares a warning about a value that other accounts have as well, which the import looks for. */
export function sharedValueWarning({
  mend,
  ...described
}: WithMend & {
  readonly code: string;
  readonly at: Places;
  readonly reason: string;
  readonly needs?: readonly Need[];
}): Warning {
  const shared = { cost: 'one probe a value', checkedIn: 'the import, and its rehearsal' } as const;
  return { ...useCaseRule({ ...described, ...shared }), mend };
}

/** The whole sentence of a warning. */
export function describeWarning(finding: string, { mend }: Warning): string {
  return `${finding} If it is a mistake, ${mend}`;
}
