import type { Business } from '../contract/business';
import { each, fieldRule, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about the business of an account and its contracts. */
export const BUSINESS_RULES: readonly Rule[] = [
  fieldRule({
    code: 'invalid_company_number',
    at: { account: ['company_number'], business: ['company_number'] },
    reason: 'The number must have the format of the company register.',
  }),
  rule({
    code: 'business_field_required',
    on: 'account',
    field: 'business',
    needs: ['supplier: enforce_business_contracts_exist'],
    reason: 'Accounts of this supplier belong to business contracts, so the payload must name the business.',
    breach: (account, { supplier }) =>
      supplier.enforce_business_contracts_exist &&
      !account.business &&
      "This supplier's accounts belong to business contracts: send the business.",
  }),
  rule({
    code: 'missing_contract_identifier',
    on: 'business',
    field: 'business_contract_identifiers',
    needs: ['supplier: enforce_business_contracts_exist'],
    reason:
      'Accounts of this supplier belong to business contracts, so the payload must identify the contract.',
    breach: (business, { supplier }) =>
      supplier.enforce_business_contracts_exist &&
      contractsOf(business).size === 0 &&
      'Send the identifier of the business contract that the account belongs to.',
  }),
  rule({
    code: 'business_information_required_if_not_linking_via_contract',
    on: 'business',
    needs: ['supplier: enforce_business_contracts_exist', 'supplier: link_account_to_business_with_contract'],
    reason: 'The contract does not identify the business for this supplier, so the payload must.',
    breach: (business, { supplier }) =>
      supplier.enforce_business_contracts_exist &&
      !supplier.link_account_to_business_with_contract &&
      !hasIdentity(business) &&
      'Identify the business, for example by its name or company number.',
  }),
  rule({
    code: 'business_information_not_required_if_linking_via_contract',
    on: 'business',
    needs: ['supplier: enforce_business_contracts_exist', 'supplier: link_account_to_business_with_contract'],
    reason: 'The contract identifies the business, and details in the payload could contradict it.',
    breach: (business, { supplier }) =>
      supplier.enforce_business_contracts_exist &&
      supplier.link_account_to_business_with_contract &&
      hasIdentity(business) &&
      'The contract identifies the business: send only the contract identifiers.',
  }),
  rule({
    code: 'agreement_business_contract_identifier_not_declared',
    on: 'account',
    field: 'supply_addresses.<i>.meter_points.<i>.agreements.<i>.business_contract_identifier',
    reason: 'An agreement can only refer to a business contract of the same payload.',
    breach: ({ supply_addresses: addresses, business }) => {
      let declared: ReadonlySet<string> | undefined;
      return each(addresses, ({ meter_points: points }) =>
        each(points, ({ agreements }) =>
          each(
            agreements,
            ({ business_contract_identifier: contract }) =>
              isGiven(contract) &&
              !(declared ??= contractsOf(business ?? {})).has(contract) &&
              `The contract ${quote(contract)} is not among those of the business.`,
          ),
        ),
      );
    },
  }),
];

function contractsOf({
  business_contract_identifiers: contracts,
  business_contract_identifier: contract,
}: Partial<Business>): ReadonlySet<string> {
  return new Set([...(contracts ?? []), ...(isGiven(contract) ? [contract] : [])]);
}

const IDENTIFYING_FIELDS = [
  'business_type',
  'company_name',
  'company_number',
  'details',
  'portfolios',
  'segment_name',
  'users',
] as const satisfies readonly (keyof Business)[];

function hasIdentity(business: Business): boolean {
  return IDENTIFYING_FIELDS.some((field) => isGiven(business[field]));
}
