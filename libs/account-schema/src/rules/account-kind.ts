import type { Account } from '../contract/account';
import { customRule, rule, type Rule } from './engine/rule';
import { isManaged, isPortfolioLead } from './terms/account-kind';
import { isGiven } from './terms/is-given';
import { isNamedTheOccupier } from './terms/occupier';

/** Rules about the account type and the fields that each type permits. */
export const ACCOUNT_KIND_RULES: readonly Rule[] = [
  rule({
    code: 'multiple_account_types_selected',
    on: 'account',
    field: 'account_type',
    reason:
      'The fields `account_type`, `is_managed` and `is_portfolio_lead` must describe the same kind of account.',
    breach: (account) => {
      if (account.is_managed !== true && account.is_portfolio_lead !== true) return undefined;
      const types = new Set([account.account_type]);
      if (account.is_managed === true) types.add('MANAGED');
      if (account.is_portfolio_lead === true) types.add('PORTFOLIO_LEAD');
      types.delete(undefined);
      return (
        types.size > 1 &&
        `The payload describes the account as ${[...types].join(' and ')}. Leave the flags out and keep one type.`
      );
    },
  }),
  rule({
    code: 'managed_accounts_are_not_allowed',
    on: 'account',
    field: 'account_type',
    needs: ['instance: allow_managed_accounts'],
    reason: 'Managed accounts are accepted only if the operator allows them.',
    breach: (account, { instance }) =>
      isManaged(account) &&
      !instance.allow_managed_accounts &&
      'Managed accounts are not allowed here. Choose another type of account.',
  }),
  customRule({
    code: 'business_fields_provided_for_domestic_accounts',
    at: {
      account: ['business_type', 'company_number', 'business.business_type', 'business.company_number'],
      agreement: ['bespoke_tariff_rates'],
    },
    reason: 'Company details and negotiated rates are for business accounts only.',
    checks: {
      account(account, facts, report) {
        const field = facts.isDomestic && firstBusinessField(account);
        if (field) {
          report(
            field,
            'A domestic account has no company. Make it a business account or leave the field out.',
          );
        }
      },
      agreement({ bespoke_tariff_rates: rates }, { isDomestic }, report) {
        if (isDomestic && isGiven(rates))
          report(
            'bespoke_tariff_rates',
            'Negotiated rates are for business accounts; this account is domestic.',
          );
      },
    },
  }),
  rule({
    code: 'business_account_missing_customers',
    on: 'account',
    field: 'customers',
    tier: 'gbr',
    completeness: true,
    reason: 'A business account needs a customer who answers for it.',
    breach: (account, { isBusiness, isOccupier }) =>
      isBusiness &&
      !isOccupier &&
      !isGiven(account.customers) &&
      'A business account needs at least one customer.',
  }),
  rule({
    code: 'portfolio_lead_has_a_supply_address',
    on: 'account',
    field: 'supply_addresses',
    reason: 'A portfolio lead has no supply of its own; the member accounts do.',
    breach: (account) =>
      isPortfolioLead(account) &&
      isGiven(account.supply_addresses) &&
      'A portfolio lead has no supply addresses: send them with its member accounts.',
  }),
  rule({
    code: 'system_account_has_a_supply_address',
    on: 'account',
    field: 'supply_addresses',
    reason: 'A SYSTEM account is internal and is not supplied.',
    breach: (account) =>
      account.account_type === 'SYSTEM' &&
      isGiven(account.supply_addresses) &&
      'An account of type SYSTEM has no supply addresses.',
  }),
  rule({
    code: 'customer_with_unknown_occupier',
    on: 'account',
    field: 'customers',
    reason: 'An account with an unknown occupier cannot name customers.',
    breach: (account) =>
      account.unknown_occupier === true &&
      isGiven(account.customers) &&
      'The occupier is unknown: leave the customers out.',
  }),
  rule({
    code: 'occupier_account_with_multiple_supply_addresses',
    on: 'account',
    field: 'supply_addresses',
    reason: 'An occupier account stands for the resident of exactly one address.',
    breach: (account, { isOccupier }) => {
      const addresses = account.supply_addresses?.length ?? 0;
      return isOccupier && addresses > 1 && `An occupier account has one supply address, not ${addresses}.`;
    },
  }),
  rule({
    code: 'dd_reference_for_occupier_account',
    on: 'account',
    field: 'dd_reference',
    reason: 'An unknown occupier cannot have signed a direct debit mandate.',
    breach: (account) => {
      if (!isGiven(account.dd_reference)) return undefined;
      const isNobody = account.unknown_occupier === true || account.customers?.some(isNamedTheOccupier);
      return isNobody && 'An unknown occupier cannot have a direct debit mandate.';
    },
  }),
];

function firstBusinessField({ business_type, company_number, business }: Account): string | undefined {
  if (isGiven(business_type)) return 'business_type';
  if (isGiven(company_number)) return 'company_number';
  if (isGiven(business?.business_type)) return 'business.business_type';
  return isGiven(business?.company_number) ? 'business.company_number' : undefined;
}
