import type { Account } from '../account/account';
import { rule, type Rule } from './engine/rule';
import { isManaged, isPortfolioLead } from './terms/account-kind';
import { isGiven } from './terms/is-given';
import { isNamedTheOccupier } from './terms/occupier';

/** Rules about the account type and the fields that each type permits. */
export const ACCOUNT_KIND_RULES: readonly Rule[] = [
  rule({
    code: 'multiple_account_types_selected',
    path: 'account_type',
    reason:
      'The fields `account_type`, `is_managed` and `is_portfolio_lead` must describe the same kind of account.',
    checks: {
      account(account, _facts, report) {
        if (account.is_managed !== true && account.is_portfolio_lead !== true) return;
        const types = new Set([account.account_type]);
        if (account.is_managed === true) types.add('MANAGED');
        if (account.is_portfolio_lead === true) types.add('PORTFOLIO_LEAD');
        types.delete(undefined);
        if (types.size > 1) {
          report(
            'account_type',
            `The payload describes the account as ${[...types].join(' and ')}. Leave the flags out and keep one type.`,
          );
        }
      },
    },
  }),
  rule({
    code: 'managed_accounts_are_not_allowed',
    path: 'account_type',
    needs: ['instance: allow_managed_accounts'],
    reason: 'Managed accounts are accepted only if the operator allows them.',
    checks: {
      account(account, { instance }, report) {
        if (isManaged(account) && !instance.allow_managed_accounts)
          report('account_type', 'Managed accounts are not allowed here. Choose another type of account.');
      },
    },
  }),
  rule({
    code: 'business_fields_provided_for_domestic_accounts',
    path: 'business_type | company_number | supply_addresses.<i>.meter_points.<j>.agreements.<k>.bespoke_tariff_rates',
    reason: 'Company details and negotiated rates are for business accounts only.',
    checks: {
      account(account, facts, report) {
        if (!facts.isDomestic) return;
        const field = firstBusinessField(account);
        if (field) {
          report(
            field,
            'A domestic account has no company. Make it a business account or leave the field out.',
          );
          return;
        }
        if (!facts.isBritishMarket) return;
        for (const { point, path } of facts.meterPoints) {
          const bespoke = point.agreements?.findIndex((one) => isGiven(one.bespoke_tariff_rates)) ?? -1;
          if (bespoke < 0) continue;
          report(
            `${path}.agreements.${bespoke}.bespoke_tariff_rates`,
            'Negotiated rates are for business accounts; this account is domestic.',
          );
          return;
        }
      },
    },
  }),
  rule({
    code: 'business_account_missing_customers',
    path: 'customers',
    tier: 'gbr',
    completeness: true,
    reason: 'A business account needs a customer who answers for it.',
    checks: {
      account(account, { isBusiness, isOccupier }, report) {
        if (isBusiness && !isOccupier && !isGiven(account.customers))
          report('customers', 'A business account needs at least one customer.');
      },
    },
  }),
  rule({
    code: 'portfolio_lead_has_a_supply_address',
    path: 'supply_addresses',
    reason: 'A portfolio lead has no supply of its own; the member accounts do.',
    checks: {
      account(account, _facts, report) {
        if (isPortfolioLead(account) && isGiven(account.supply_addresses))
          report(
            'supply_addresses',
            'A portfolio lead has no supply addresses: send them with its member accounts.',
          );
      },
    },
  }),
  rule({
    code: 'system_account_has_a_supply_address',
    path: 'supply_addresses',
    reason: 'A SYSTEM account is internal and is not supplied.',
    checks: {
      account(account, _facts, report) {
        if (account.account_type === 'SYSTEM' && isGiven(account.supply_addresses))
          report('supply_addresses', 'An account of type SYSTEM has no supply addresses.');
      },
    },
  }),
  rule({
    code: 'customer_with_unknown_occupier',
    path: 'customers',
    reason: 'An account with an unknown occupier cannot name customers.',
    checks: {
      account(account, _facts, report) {
        if (account.unknown_occupier === true && isGiven(account.customers))
          report('customers', 'The occupier is unknown: leave the customers out.');
      },
    },
  }),
  rule({
    code: 'occupier_account_with_multiple_supply_addresses',
    path: 'supply_addresses',
    reason: 'An occupier account stands for the resident of exactly one address.',
    checks: {
      account(account, { isOccupier }, report) {
        const addresses = account.supply_addresses?.length ?? 0;
        if (isOccupier && addresses > 1)
          report('supply_addresses', `An occupier account has one supply address, not ${addresses}.`);
      },
    },
  }),
  rule({
    code: 'dd_reference_for_occupier_account',
    path: 'dd_reference',
    reason: 'An unknown occupier cannot have signed a direct debit mandate.',
    checks: {
      account(account, _facts, report) {
        if (!isGiven(account.dd_reference)) return;
        const isNobody = account.unknown_occupier === true || account.customers?.some(isNamedTheOccupier);
        if (isNobody) report('dd_reference', 'An unknown occupier cannot have a direct debit mandate.');
      },
    },
  }),
];

function firstBusinessField({ business_type, company_number, business }: Account): string | undefined {
  if (isGiven(business_type)) return 'business_type';
  if (isGiven(company_number)) return 'company_number';
  if (isGiven(business?.business_type)) return 'business.business_type';
  return isGiven(business?.company_number) ? 'business.company_number' : undefined;
}
