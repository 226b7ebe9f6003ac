import type { Account, Customer } from '@portage/account-schema';
import type { AccountRows } from './account-rows';
import { omitFields } from '../account/omit-fields';

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

/** Builds the rows of customers. Validation has normalized their phone numbers to E.164. */
export function customerRows({ customers }: Account): AccountRows['customer'] {
  return (customers ?? []).map((customer, position) => ({
    position,
    userIdentifier: customer.user_identifier,
    title: customer.title,
    givenName: customer.given_name ?? '',
    familyName: customer.family_name ?? '',
    email: customer.email,
    mobile: customer.mobile,
    landline: customer.landline,
    dateOfBirth: customer.date_of_birth,
    details: omitFields(customer, CUSTOMER_COLUMNS),
  }));
}

/** A longer role is in no operator's list, and does not fit into the index. */
const MAX_ROLE_LENGTH = 200;

/** Builds the rows of the roles of each e-mail address. */
export function heldRoleRows({ customers }: Account, organisationId: number): AccountRows['held_role'] {
  const rows = new Map<string, AccountRows['held_role'][number]>();
  for (const { email: address, role, portfolio_roles, account_roles } of customers ?? []) {
    const email = address?.toLowerCase();
    if (email === undefined) continue;
    for (const held of [role, ...(portfolio_roles ?? []), ...(account_roles ?? [])])
      if (held && held.length <= MAX_ROLE_LENGTH)
        rows.set(`${email} ${held}`, { organisationId, email, role: held });
  }
  return [...rows.values()];
}

/** Builds the rows of debts. */
export function debtRows({ debt, debts }: Account, organisationId: number): AccountRows['debt'] {
  return [...(debts ?? []), ...(debt ? [debt] : [])].map(
    ({ cais_reference: caisReference, ...details }, position) => ({
      position,
      organisationId,
      caisReference,
      details,
    }),
  );
}

/** Builds the rows of references, which are unique for each supplier. */
export function referenceRows({ references }: Account, supplierId: number): AccountRows['account_reference'] {
  return (references ?? []).map(({ namespace, value }, position) => ({
    position,
    supplierId: supplierId,
    namespace,
    value,
  }));
}
