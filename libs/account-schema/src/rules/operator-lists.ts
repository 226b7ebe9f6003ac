import { listRule, type ListRule } from './engine/list-rule';
import type { Rule } from './engine/rule';
import type { CodeList } from './operator/references';

/** The lists without an error code of their own. */
const LISTS: readonly CodeList[] = [
  'business_detail_keys',
  'business_segments',
  'consent_types',
  'metering_agents',
  'partner_roles',
  'payment_vendors',
  'portfolio_reference_namespaces',
  'roles',
  'user_detail_namespaces',
];

const lists: ListRule['lists'] = Object.fromEntries(
  LISTS.map((list) => [
    list,
    (value: string) =>
      `${value} is not one of the ${list.replaceAll('_', ' ')} that the operator has listed.`,
  ]),
);

/** The rule about fields whose permitted values the operator has configured, unless another rule has their list. */
export const OPERATOR_LIST_RULES: readonly Rule[] = [
  listRule({
    code: 'invalid_choice',
    lists,
    reason: 'The value must be one that the operator has configured.',
  }),
];
