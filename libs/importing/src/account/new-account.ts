import type { Account, Customer } from '@portage/account-schema';
import type { NewAccount, NewCustomer } from '@portage/database';

/** Fields of a customer that have columns of their own. */
const CUSTOMER_COLUMNS = [
  'user_identifier',
  'title',
  'given_name',
  'family_name',
  'email',
  'mobile',
  'landline',
  'date_of_birth',
] as const satisfies readonly (keyof Customer)[];

function newCustomer(customer: Customer): NewCustomer {
  const own = new Set<string>(CUSTOMER_COLUMNS);
  return {
    user_identifier: customer.user_identifier ?? undefined,
    title: customer.title ?? undefined,
    given_name: customer.given_name ?? '',
    family_name: customer.family_name ?? '',
    email: customer.email ?? undefined,
    mobile: customer.mobile ?? undefined,
    landline: customer.landline ?? undefined,
    date_of_birth: customer.date_of_birth ?? undefined,
    details: Object.fromEntries(Object.entries(customer).filter(([name]) => !own.has(name))),
  };
}

/** The rows that a valid account becomes. */
export function newAccount(account: Account, number: string): NewAccount {
  return {
    number,
    accountType: account.account_type ?? null,
    billing: Object.fromEntries(Object.entries(account).filter(([name]) => name.startsWith('billing_'))),
    customers: (account.customers ?? []).map(newCustomer),
  };
}
