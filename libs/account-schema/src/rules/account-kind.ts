import { type Account } from '../account/account';
import { rule, type Rule } from './engine/rule';
import { isManaged, isPortfolioLead } from './terms/account-kind';
import { given } from './terms/given';
import { isNamedTheOccupier } from './terms/occupier';

/** What kind of account it is, and what such an account may have. */
export const ACCOUNT_KIND_RULES: readonly Rule[] = [
  rule({
    code: 'multiple_account_types_selected',
    path: 'account_type',
    why: 'The type and the two older flags must name one kind of account, or nobody knows which to create.',
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
            `The account is said to be ${[...types].join(' and ')}. Leave the flags out and keep one type.`,
          );
        }
      },
    },
  }),
  rule({
    code: 'managed_accounts_are_not_allowed',
    path: 'account_type',
    needs: ['instance: allow_managed_accounts'],
    why: 'Managed accounts exist only where the operator allows them.',
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
    why: 'A domestic account with a company behind it is one or the other.',
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
          const bespoke = point.agreements?.findIndex((one) => given(one.bespoke_tariff_rates)) ?? -1;
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
    why: 'Somebody must answer for a business account.',
    checks: {
      account(account, { isBusiness, isOccupier }, report) {
        if (isBusiness && !isOccupier && !given(account.customers))
          report('customers', 'A business account needs at least one customer.');
      },
    },
  }),
  rule({
    code: 'portfolio_lead_has_a_supply_address',
    path: 'supply_addresses',
    why: 'The lead of a portfolio has no supply of its own.',
    checks: {
      account(account, _facts, report) {
        if (isPortfolioLead(account) && given(account.supply_addresses))
          report('supply_addresses', 'A portfolio lead has no supply addresses; its members have.');
      },
    },
  }),
  rule({
    code: 'system_account_has_a_supply_address',
    path: 'supply_addresses',
    why: 'An account of the system itself is not supplied.',
    checks: {
      account(account, _facts, report) {
        if (account.account_type === 'SYSTEM' && given(account.supply_addresses))
          report('supply_addresses', 'An account of type SYSTEM has no supply addresses.');
      },
    },
  }),
  rule({
    code: 'customer_with_unknown_occupier',
    path: 'customers',
    why: 'Who is unknown cannot be named.',
    checks: {
      account(account, _facts, report) {
        if (account.unknown_occupier === true && given(account.customers))
          report('customers', 'The occupier is said to be unknown, so there can be no customers.');
      },
    },
  }),
  rule({
    code: 'occupier_account_with_multiple_supply_addresses',
    path: 'supply_addresses',
    why: 'An occupier is whoever lives at one address.',
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
    why: 'Nobody unknown can have signed a mandate.',
    checks: {
      account(account, _facts, report) {
        if (!given(account.dd_reference)) return;
        const isNobody = account.unknown_occupier === true || account.customers?.some(isNamedTheOccupier);
        if (isNobody) report('dd_reference', 'An unknown occupier cannot have a direct debit mandate.');
      },
    },
  }),
];

function firstBusinessField({ business_type, company_number, business }: Account): string | undefined {
  if (given(business_type)) return 'business_type';
  if (given(company_number)) return 'company_number';
  if (given(business?.business_type)) return 'business.business_type';
  return given(business?.company_number) ? 'business.company_number' : undefined;
}
