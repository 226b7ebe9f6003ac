import type { AccountBillingOptions, Address } from '../contract/account-details';
import type { Account } from '../contract/account';
import type { Customer } from '../contract/customer';
import { readPostcode } from '../formats/formats';
import type { SupplyAddress } from '../contract/supply-address';
import { isBusinessAccount, isOccupierAccount } from './terms/account-kind';
import { isGiven } from './terms/is-given';

/**
 * Fills in what the contract lets senders leave out, before the rules run: the billing address of an occupier, the
 * family name of a business's customers and the billing calendar of a business. Also normalises postcodes. Returns
 * the account itself if nothing changes, else a copy. Absent `tax_items` and `trigger` are not filled in; their
 * readers apply the defaults.
 */
export function withImporterChanges(account: Account): Account {
  const changes: Partial<Account> = {};
  const occupied = occupierAddress(account);
  if (occupied) Object.assign(changes, billingAddressAt(occupied));
  const billing = account.billing_address && withNormalizedPostcode(account.billing_address);
  if (billing && billing !== account.billing_address) changes.billing_address = billing;
  if (isBusinessAccount(account)) {
    const customers = account.customers?.some(isFamilyNameMissing) && account.customers.map(withFamilyName);
    if (customers) changes.customers = customers;
    if (!account.account_billing_options) {
      changes.account_billing_options = MONTHLY_FROM_THE_FIRST;
    }
  }
  return Object.keys(changes).length > 0 ? Object.assign({}, account, changes) : account;
}

const MONTHLY_FROM_THE_FIRST: AccountBillingOptions = Object.freeze({
  period_start_day: 1,
  period_length: 'MONTHLY',
});

/** The supply address of an occupier account without a billing address, if it has exactly one. */
function occupierAddress(account: Account): SupplyAddress | undefined {
  if (!isOccupierAccount(account) || account.supply_addresses?.length !== 1) return undefined;
  const lines = [1, 2, 3, 4, 5].map((n) => account[`billing_address${n}` as 'billing_address1']);
  const hasAddress =
    isGiven(account.billing_address) || isGiven(account.billing_postcode) || lines.some(isGiven);
  return hasAddress ? undefined : account.supply_addresses[0];
}

function billingAddressAt(address: SupplyAddress): Partial<Account> {
  const all: Readonly<Record<string, string | undefined>> = {
    billing_address1: address.supply_address1,
    billing_address2: address.supply_address2,
    billing_address3: address.supply_address3,
    billing_address4: address.supply_address4,
    billing_address5: address.supply_address5,
    billing_postcode: address.supply_postcode,
    billing_delivery_point_identifier: address.supply_delivery_point_identifier,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function withNormalizedPostcode(address: Address): Address {
  if (!isGiven(address.postal_code)) return address;
  const normal = readPostcode(address.postal_code, address.country);
  return normal === undefined || normal === address.postal_code
    ? address
    : Object.assign({}, address, { postal_code: normal });
}

function isFamilyNameMissing(customer: Customer): boolean {
  return !isGiven(customer.family_name);
}

function withFamilyName(customer: Customer): Customer {
  return isFamilyNameMissing(customer) ? Object.assign({}, customer, { family_name: 'Business' }) : customer;
}
