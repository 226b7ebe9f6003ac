import { type Checks, type Need, rule, type Rule, useCaseRule } from '../rules/engine/rule';

/**
 * A check whose finding refuses nothing: the value is allowed, but implausible. Declared and run like a rule, in a
 * catalogue of its own.
 */
export type Warning = Rule & {
  /** What to do if the value is a mistake: the end of a sentence that begins with "If it is a mistake,". */
  readonly mend: string;
};

/** The parts of a warning that are declared. */
interface DescribedWarning {
  readonly code: string;
  readonly path: string;
  readonly reason: string;
  readonly mend: string;
  readonly needs?: readonly Need[];
}

/** Declares a warning about the values of one account. Reports say what is implausible, with the value. */
export function warning(
  described: DescribedWarning & { readonly checks: Checks; readonly cost?: 'linear' | 'sorting' },
): Warning {
  const { mend, ...rest } = described;
  return { ...rule(rest), mend };
}

/** Declares a warning about a value that other accounts have as well, which the import looks for. */
export function sharedValueWarning(described: DescribedWarning): Warning {
  const { mend, ...rest } = described;
  return {
    ...useCaseRule({ ...rest, cost: 'one probe a value', checkedIn: 'the import, and its rehearsal' }),
    mend,
  };
}

/** The whole sentence of a warning. */
export function describeWarning(finding: string, { mend }: Warning): string {
  return `${finding} If it is a mistake, ${mend}`;
}
