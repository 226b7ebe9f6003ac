import type { Account } from '@portage/account-schema';
import type { AccountRows } from './account-rows';
import { welcomeEmail } from '../emails/welcome-email';

/** Builds the row of the welcome e-mail: one an account, to the first customer with an address. */
export function welcomeEmailRows(
  { customers, language_preference: language }: Account,
  accountNumber: string,
  supplier: string,
): AccountRows['welcome_email'] {
  const customer = customers?.find(({ email }) => email);
  if (!customer?.email) return [];
  const { subject, text } = welcomeEmail({
    givenName: customer.given_name,
    supplierName: supplier,
    accountNumber,
    language,
  });
  return [{ recipient: customer.email, subject, body: text }];
}
