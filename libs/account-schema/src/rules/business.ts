import { type Business } from '../business/business';
import { fieldRule, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';

/** The company behind an account, and the contracts it may have to have. */
export const BUSINESS_RULES: readonly Rule[] = [
  fieldRule({
    code: 'invalid_company_number',
    path: 'company_number | business.company_number',
    why: 'The number must be one that the register of companies could have given.',
  }),
  rule({
    code: 'business_field_required',
    path: 'business',
    needs: ['supplier: enforce_business_contracts_exist'],
    why: 'A supplier whose accounts fall under contracts must say whose contracts.',
    checks: {
      account(account, { supplier }, report) {
        if (supplier.enforce_business_contracts_exist && !account.business)
          report('business', "This supplier's accounts fall under business contracts: say which business.");
      },
    },
  }),
  rule({
    code: 'missing_contract_identifier',
    path: 'business.business_contract_identifiers',
    needs: ['supplier: enforce_business_contracts_exist'],
    why: 'A supplier whose accounts fall under contracts must say which.',
    checks: {
      business(business, { supplier }, report) {
        if (supplier.enforce_business_contracts_exist && contractsOf(business).size === 0)
          report(
            'business_contract_identifiers',
            'Say which contract of the business the account falls under.',
          );
      },
    },
  }),
  rule({
    code: 'business_information_required_if_not_linking_via_contract',
    path: 'business',
    needs: ['supplier: enforce_business_contracts_exist', 'supplier: link_account_to_business_with_contract'],
    why: 'Where the contract does not lead to the business, the payload must say who it is.',
    checks: {
      business(business, { supplier }, report) {
        if (!supplier.enforce_business_contracts_exist) return;
        if (!supplier.link_account_to_business_with_contract && !saysWhoItIs(business))
          report('', 'Say who the business is: its name, its number or its people, for instance.');
      },
    },
  }),
  rule({
    code: 'business_information_not_required_if_linking_via_contract',
    path: 'business',
    needs: ['supplier: enforce_business_contracts_exist', 'supplier: link_account_to_business_with_contract'],
    why: 'Where the contract leads to the business, a second description of it may differ.',
    checks: {
      business(business, { supplier }, report) {
        if (!supplier.enforce_business_contracts_exist) return;
        if (supplier.link_account_to_business_with_contract && saysWhoItIs(business))
          report('', 'The contract says who the business is: send its identifiers and nothing else.');
      },
    },
  }),
  rule({
    code: 'agreement_business_contract_identifier_not_declared',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.business_contract_identifier',
    why: 'An agreement can only fall under a contract that the account falls under.',
    checks: {
      account({ business }, { meterPoints }, report) {
        let declared: ReadonlySet<string> | undefined;
        for (const { point, path } of meterPoints) {
          for (const [i, { business_contract_identifier: contract }] of (point.agreements ?? []).entries()) {
            if (!given(contract)) continue;
            declared ??= business ? contractsOf(business) : new Set();
            if (!declared.has(contract))
              report(
                `${path}.agreements.${i}.business_contract_identifier`,
                `The contract ${quote(contract)} is not among those of the business.`,
              );
          }
        }
      },
    },
  }),
];

function contractsOf({
  business_contract_identifiers: contracts,
  business_contract_identifier: contract,
}: Business): ReadonlySet<string> {
  return new Set([...(contracts ?? []), ...(given(contract) ? [contract] : [])]);
}

const IDENTITY = [
  'business_type',
  'company_name',
  'company_number',
  'details',
  'portfolios',
  'segment_name',
  'users',
] as const satisfies readonly (keyof Business)[];

function saysWhoItIs(business: Business): boolean {
  return IDENTITY.some((field) => given(business[field]));
}
