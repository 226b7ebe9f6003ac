import { nearestFirst } from '../compiler/nearest-name';
import { type Report, rule, type Rule } from './engine/rule';
import type { Facts } from './engine/facts';
import type { KeyedList } from './operator/references';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/**
 * Rules about fields whose permitted values are configured by the operator. They share the generic code
 * `invalid_choice`; fields for which the catalogue has a specific code have their own rule.
 */
export const OPERATOR_LIST_RULES: readonly Rule[] = [
  rule({
    code: 'invalid_choice',
    path: '…',
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
    checks: {
      account({ payment_preferences: preferences }, facts, report) {
        for (const [i, preference] of (preferences ?? []).entries()) {
          if (preference.type !== 'ACTIVE_EXISTING') continue;
          const path = `payment_preferences.${i}.instruction_reference_params.vendor_name`;
          checkInList(
            'payment_vendors',
            preference.instruction_reference_params.vendor_name,
            path,
            facts,
            report,
          );
        }
      },
      business({ segment_name: segment }, facts, report) {
        checkInList('business_segments', segment, 'segment_name', facts, report);
      },
      businessDetail({ key }, facts, report) {
        checkInList('business_detail_keys', key, 'key', facts, report);
      },
      businessUser({ business_roles: roles }, facts, report) {
        checkEachInList('roles', roles, 'business_roles', facts, report);
      },
      consent({ type }, facts, report) {
        checkInList('consent_types', type, 'type', facts, report);
      },
      customer(customer, facts, report) {
        checkEachInList('roles', customer.portfolio_roles, 'portfolio_roles', facts, report);
        checkEachInList('roles', customer.account_roles, 'account_roles', facts, report);
        checkInList('roles', customer.role, 'role', facts, report);
      },
      feedInTariff({ vendor_name: vendor }, facts, report) {
        checkInList('payment_vendors', vendor, 'vendor_name', facts, report);
      },
      meterPoint({ smart_site_visit: visits }, facts, report) {
        for (const [i, { metering_agent: agent }] of (visits ?? []).entries())
          checkInList('metering_agents', agent, `smart_site_visit.${i}.metering_agent`, facts, report);
      },
      partnerOrganisation({ role }, facts, report) {
        checkInList('partner_roles', role, 'role', facts, report);
      },
      paymentInstruction({ vendor }, facts, report) {
        checkInList('payment_vendors', vendor, 'vendor', facts, report);
      },
      paymentInstructionRequest({ vendor }, facts, report) {
        checkInList('payment_vendors', vendor, 'vendor', facts, report);
      },
      person({ user_details: details }, facts, report) {
        for (const [i, { namespace }] of (details ?? []).entries())
          checkInList('user_detail_namespaces', namespace, `user_details.${i}.namespace`, facts, report);
      },
      portfolio({ portfolio_references: references }, facts, report) {
        for (const [i, { namespace }] of (references ?? []).entries()) {
          const path = `portfolio_references.${i}.namespace`;
          checkInList('portfolio_reference_namespaces', namespace, path, facts, report);
        }
      },
    },
  }),
];

function checkInList(
  list: KeyedList,
  value: string | null | undefined,
  path: string,
  { references }: Facts,
  report: Report,
): void {
  if (isGiven(value) && references.has(list, value) === false)
    report(
      path,
      `${quote(value)} is not one of the ${list.replaceAll('_', ' ')} that the operator has listed: ${listNearest(value, references.members(list))}.`,
    );
}

/** Maximum number of members of a list that a message names. */
const MAX_LISTED_MEMBERS = 12;

function listNearest(value: string, members: readonly string[]): string {
  const shown = nearestFirst(value, members).slice(0, MAX_LISTED_MEMBERS).map(quote).join(', ');
  const rest = members.length - MAX_LISTED_MEMBERS;
  return rest > 0 ? `${shown} and ${rest} more` : shown || 'none';
}

function checkEachInList(
  list: KeyedList,
  values: readonly string[] | undefined,
  path: string,
  facts: Facts,
  report: Report,
): void {
  for (const [i, value] of (values ?? []).entries()) checkInList(list, value, `${path}.${i}`, facts, report);
}
