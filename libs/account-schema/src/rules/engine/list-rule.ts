import { fieldsOf } from '../../vocabulary/description';
import type { ObjectType } from '../../vocabulary/shape';
import type { CodeList } from '../operator/references';
import { isGiven } from '../terms/is-given';
import { quote } from '../terms/quote';
import type { Facts } from './facts';
import type { Check, Need, PayloadRule, Report } from './kinds';
import { pathsOfLists } from './paths';
import { type CustomRule, customRule } from './rule';

/** The start of a message about a value that is in none of the codes of a list, which is passed quoted. */
type Describe = (value: string) => string;

/** A rule about the fields whose permitted values the operator has configured: those with the option `list`. */
export interface ListRule extends Omit<CustomRule, 'at' | 'needs' | 'checks' | 'checkOf'> {
  /** The lists of the fields, each with what is said about a value that it lacks. */
  readonly lists: { readonly [List in CodeList]?: Describe };
}

/** Declares a rule about all fields of these lists, with the same defaults as `rule`. */
export function listRule({ lists, ...described }: ListRule): PayloadRule {
  const names = Object.keys(lists) as CodeList[];
  return customRule({
    ...described,
    at: pathsOfLists(names),
    needs: [...new Set(names.map(needOf))],
    checks: {},
    checkOf: (type) => checkOfLists(type, lists),
  });
}

function needOf(list: CodeList): Need {
  return `reference data: ${list === 'campaign_slugs' || list === 'campaign_names' ? 'campaigns' : list}`;
}

function checkOfLists(type: ObjectType, lists: ListRule['lists']): Check<object> | undefined {
  const fields = [...fieldsOf(type)].flatMap(([field, { list }]) => {
    const describe = list && lists[list];
    return describe ? [{ field, list, describe }] : [];
  });
  if (fields.length === 0) return undefined;
  return (subject, facts, report) => {
    for (const { field, list, describe } of fields) {
      const value = (subject as Readonly<Record<string, string | readonly string[] | null>>)[field];
      if (typeof value === 'object')
        for (const [i, one] of (value ?? []).entries())
          checkInList(list, one, `${field}.${i}`, describe, facts, report);
      else checkInList(list, value, field, describe, facts, report);
    }
  };
}

function checkInList(
  list: CodeList,
  value: string | null | undefined,
  path: string,
  describe: Describe,
  { references, nearest }: Facts,
  report: Report,
): void {
  if (isGiven(value) && references.has(list, value) === false)
    report(path, describe(quote(value)) + nearest.describe(value, references.members(list)));
}
