import { fieldsOf } from '../vocabulary/description';
import { type Report, type Rule, customRule } from './engine/rule';
import type { Facts } from './engine/facts';
import type { KeyedList } from './operator/references';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/**
 * The rule about fields whose permitted values are configured by the operator: those with the option `list`. Fields for
 * which the catalogue has a specific code have their own rule.
 */
export const OPERATOR_LIST_RULES: readonly Rule[] = [
  customRule({
    code: 'invalid_choice',
    at: [],
    needs: [
      'reference data: business_detail_keys',
      'reference data: business_segments',
      'reference data: consent_types',
      'reference data: metering_agents',
      'reference data: partner_roles',
      'reference data: payment_vendors',
      'reference data: portfolio_reference_namespaces',
      'reference data: roles',
      'reference data: user_detail_namespaces',
    ],
    reason: 'The value must be one that the operator has configured.',
    checks: {},
    checkOf: (type) => {
      const fields = [...fieldsOf(type)].flatMap(([field, { list }]) => (list ? [{ field, list }] : []));
      if (fields.length === 0) return undefined;
      return (subject, facts, report) => {
        for (const { field, list } of fields) {
          const value = (subject as Readonly<Record<string, string | readonly string[] | null>>)[field];
          if (typeof value === 'object')
            for (const [i, one] of (value ?? []).entries())
              checkInList(list as KeyedList, one, `${field}.${i}`, facts, report);
          else checkInList(list as KeyedList, value, field, facts, report);
        }
      };
    },
  }),
];

function checkInList(
  list: KeyedList,
  value: string | null | undefined,
  path: string,
  { references, nearest }: Facts,
  report: Report,
): void {
  if (isGiven(value) && references.has(list, value) === false)
    report(
      path,
      `${quote(value)} is not one of the ${list.replaceAll('_', ' ')} that the operator has listed.${nearest.describe(value, references.members(list))}`,
    );
}
