import { fieldsOf } from '../../vocabulary/description';
import type { ObjectType } from '../../vocabulary/shape';
import type { CodeList } from '../operator/references';
import { isGiven } from '../terms/is-given';
import { quote } from '../terms/quote';
import type { Facts } from './facts';
import type { Check, Need, PayloadRule, Report } from './kinds';
import { type CustomRule, payloadRule } from './rule';

type Lists = NonNullable<PayloadRule['lists']>;

/** A rule about the fields whose permitted values the operator has configured: those with the option `list`. */
export interface ListRule extends Omit<CustomRule, 'at' | 'needs' | 'checks'> {
  readonly lists: Lists;
}

/** Declares a rule about all fields of these lists, with the same defaults as `rule`. */
export function listRule(described: ListRule): PayloadRule {
  const names = Object.keys(described.lists) as CodeList[];
  return payloadRule({ ...described, at: {}, needs: [...new Set(names.map(needOf))], checks: {} });
}

function needOf(list: CodeList): Need {
  return `reference data: ${list === 'campaign_slugs' || list === 'campaign_names' ? 'campaigns' : list}`;
}

/** The check of the fields of a class with one of these lists; undefined if it has none. */
export function checkOfLists(type: ObjectType, lists: Lists): Check<object> | undefined {
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
  describe: (value: string) => string,
  { references, nearest }: Facts,
  report: Report,
): void {
  if (isGiven(value) && references.has(list, value) === false)
    report(path, describe(quote(value)) + nearest.describe(value, references.members(list)));
}
