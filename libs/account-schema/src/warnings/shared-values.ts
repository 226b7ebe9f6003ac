import type { Account } from '../contract/account';
import type { FieldError } from '../context';
import { isGiven } from '../rules/terms/is-given';
import { quote } from '../rules/terms/quote';
import { describeWarning, sharedValueWarning, type Warning } from './warning';

/** Accounts that have an e-mail address or a telephone number in common before it is implausible. */
export const MANY_ACCOUNTS = 10;

const SUPPLY_POINT = sharedValueWarning({
  code: 'supply_point_of_another_account',
  at: { meterPoint: ['identifier'] },
  needs: ['stored: supply points of accounts'],
  reason: 'One account is billed for a supply point at a time.',
  mend: 'send the account that supplies the point now, and end the supply of the other one.',
});

const EMAIL_ADDRESS = sharedValueWarning({
  code: 'email_address_of_many_accounts',
  at: { account: ['billing_email'], customer: ['email'] },
  needs: ['stored: e-mail addresses of customers with a role'],
  reason: `An address that ${MANY_ACCOUNTS} accounts have is mostly a placeholder or a clerk's.`,
  mend: "send the customer's own address, or leave it out.",
});

const PHONE_NUMBER = sharedValueWarning({
  code: 'phone_number_of_many_accounts',
  at: { customer: ['landline', 'mobile'] },
  reason: `A number that ${MANY_ACCOUNTS} accounts have is mostly a placeholder or an office.`,
  mend: "send the customer's own number, or leave it out.",
});

const MANDATE = sharedValueWarning({
  code: 'mandate_of_another_account',
  at: { paymentInstruction: ['reference'] },
  needs: ['stored: active payment instructions'],
  reason: 'A mandate collects from one customer, and another account would be paid by that customer.',
  mend: 'send the mandate with the account of its customer only.',
});

/** Warnings about values that other accounts have as well. */
export const SHARED_VALUE_WARNINGS: readonly Warning[] = [SUPPLY_POINT, EMAIL_ADDRESS, PHONE_NUMBER, MANDATE];

/** A value that other accounts may have as well, and its path in the account. */
export interface SharedValue {
  readonly kind: 'supply-point' | 'email' | 'phone' | 'mandate';
  readonly value: string;
  readonly attr: string;
}

/** The values of an account that other accounts may have as well, each once, in the order of the account. */
export function findSharedValues(account: Account): SharedValue[] {
  const found = new Map<string, SharedValue>();
  const add = (kind: SharedValue['kind'], value: string | null | undefined, attr: string) => {
    if (!isGiven(value)) return;
    const key = `${kind} ${value}`;
    if (!found.has(key)) found.set(key, { kind, value, attr });
  };
  add('email', account.billing_email?.toLowerCase(), 'billing_email');
  for (const [i, { email, landline, mobile }] of (account.customers ?? []).entries()) {
    add('email', email?.toLowerCase(), `customers.${i}.email`);
    add('phone', landline, `customers.${i}.landline`);
    add('phone', mobile, `customers.${i}.mobile`);
  }
  for (const [i, { vendor, reference }] of (account.payment_instructions ?? []).entries())
    add('mandate', `${vendor.toUpperCase()} ${reference}`, `payment_instructions.${i}.reference`);
  for (const [i, { meter_points: points }] of (account.supply_addresses ?? []).entries())
    for (const [k, { identifier, supply_end_date: end }] of points.entries())
      // A supply that ended was taken over by another account, as it should be.
      if (!isGiven(end))
        add('supply-point', identifier, `supply_addresses.${i}.meter_points.${k}.identifier`);
  return [...found.values()];
}

/** The warning about a supply point that another account of the supplier has. */
export function warnOfSupplyPoint({ value, attr }: SharedValue, otherAccount: string): FieldError {
  const finding = `The supply point ${quote(value)} is that of the account ${quote(otherAccount)} as well.`;
  return { detail: describeWarning(finding, SUPPLY_POINT), code: SUPPLY_POINT.code, attr };
}

/** The warning about a mandate that another account of the supplier has. */
export function warnOfMandate({ value, attr }: SharedValue, otherAccount: string): FieldError {
  const finding = `The mandate ${quote(value)} is that of the account ${quote(otherAccount)} as well.`;
  return { detail: describeWarning(finding, MANDATE), code: MANDATE.code, attr };
}

/** The warning about an e-mail address or a telephone number that many accounts have. */
export function warnOfContact({ kind, value, attr }: SharedValue): FieldError {
  const warning = kind === 'email' ? EMAIL_ADDRESS : PHONE_NUMBER;
  const finding = `At least ${MANY_ACCOUNTS} accounts have ${quote(value)}.`;
  return { detail: describeWarning(finding, warning), code: warning.code, attr };
}
