import type { Account, Customer } from '@portage/account-schema';
import type { AccountRows } from '@portage/database';
import { without } from './without';

const CUSTOMER_COLUMNS: ReadonlySet<string> = new Set([
  'user_identifier',
  'title',
  'given_name',
  'family_name',
  'email',
  'mobile',
  'landline',
  'date_of_birth',
] satisfies (keyof Customer)[]);

/** The people on the account. Their numbers are in E.164 already: reading the payload put them so. */
export function customerRows({ customers }: Account): AccountRows['customer'] {
  return (customers ?? []).map((customer, position) => ({
    position,
    user_identifier: customer.user_identifier,
    title: customer.title,
    given_name: customer.given_name ?? '',
    family_name: customer.family_name ?? '',
    email: customer.email,
    mobile: customer.mobile,
    landline: customer.landline,
    date_of_birth: customer.date_of_birth,
    details: without(customer, CUSTOMER_COLUMNS),
  }));
}

export function debtRows({ debt, debts }: Account): AccountRows['debt'] {
  return [...(debts ?? []), ...(debt ? [debt] : [])].map(({ cais_reference, ...details }, position) => ({
    position,
    cais_reference,
    details,
  }));
}

export function referenceRows({ references }: Account, supplierId: number): AccountRows['account_reference'] {
  return (references ?? []).map(({ namespace, value }, position) => ({
    position,
    supplier_id: supplierId,
    namespace,
    value,
  }));
}
