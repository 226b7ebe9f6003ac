import { sharedValueWarning, type Warning } from './warning';

/** Accounts that have an e-mail address or a telephone number in common before it is implausible. */
export const MANY_ACCOUNTS = 10;

const SUPPLY_POINT = sharedValueWarning({
  code: 'supply_point_of_another_account',
  path: 'supply_addresses.<i>.meter_points.<j>.identifier',
  needs: ['stored: supply points of accounts'],
  reason: 'One account is billed for a supply point at a time.',
  mend: 'send the account that supplies the point now, and end the supply on the other one.',
});

const EMAIL_ADDRESS = sharedValueWarning({
  code: 'email_address_of_many_accounts',
  path: 'billing_email | customers.<i>.email',
  needs: ['stored: e-mail addresses of accounts'],
  reason: `An address that ${MANY_ACCOUNTS} accounts have is mostly a placeholder or a clerk's.`,
  mend: "send the customer's own address, or leave it out.",
});

const PHONE_NUMBER = sharedValueWarning({
  code: 'phone_number_of_many_accounts',
  path: 'customers.<i>.landline | customers.<i>.mobile',
  needs: ['stored: telephone numbers of accounts'],
  reason: `A number that ${MANY_ACCOUNTS} accounts have is mostly a placeholder or an office.`,
  mend: "send the customer's own number, or leave it out.",
});

/** Warnings about values that other accounts have as well. */
export const SHARED_VALUE_WARNINGS: readonly Warning[] = [SUPPLY_POINT, EMAIL_ADDRESS, PHONE_NUMBER];
