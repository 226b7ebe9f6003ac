import type { Account } from '../../contract/account';

/** **portfolio lead**: account_type PORTFOLIO_LEAD, or is_portfolio_lead. */
export function isPortfolioLead(account: Account): boolean {
  return account.account_type === 'PORTFOLIO_LEAD' || account.is_portfolio_lead === true;
}

/** **managed account**: account_type MANAGED, or is_managed. */
export function isManaged(account: Account): boolean {
  return account.account_type === 'MANAGED' || account.is_managed === true;
}

/** **domestic account**: account_type DOMESTIC*, or no account_type and neither flag set. */
export function isDomesticAccount(account: Account): boolean {
  const { account_type: type } = account;
  if (type !== undefined) return type.startsWith('DOMESTIC');
  return account.is_managed !== true && account.is_portfolio_lead !== true;
}

/** **business account**: account_type BUSINESS*. */
export function isBusinessAccount(account: Account): boolean {
  return account.account_type?.startsWith('BUSINESS') === true;
}

/** **occupier account**: unknown_occupier true, or account_type *_OCCUPIER. */
export function isOccupierAccount(account: Account): boolean {
  return account.unknown_occupier === true || account.account_type?.endsWith('_OCCUPIER') === true;
}
