import type { AccountBillingOptions } from '../contract/account-details';
import { rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/** Rules about the billing calendar of an account. */
export const BILLING_OPTION_RULES: readonly Rule[] = [
  rule({
    code: 'account_billing_options_provided_for_domestic_accounts',
    on: 'account',
    field: 'account_billing_options',
    tier: 'gbr',
    reason: 'Only business accounts may set their own billing calendar.',
    breach: (account, { isDomestic }) =>
      isDomestic &&
      account.account_billing_options &&
      'Billing options are for business accounts: leave them out.',
  }),
  rule({
    code: 'business_account_missing_billing_options',
    on: 'account',
    field: 'account_billing_options',
    tier: 'gbr',
    completeness: true,
    reason: 'Without a day and a length the calendar does not determine when a bill is due.',
    breach: ({ account_billing_options: options }, { isBusiness }) =>
      isBusiness &&
      options &&
      options.use_industry_billing !== true &&
      isCalendarMissing(options) &&
      'Send the start day and the length of the billing period.',
  }),
  rule({
    code: 'account_billing_options_period_data_required',
    on: 'accountBillingOptions',
    field: 'period_length',
    reason: 'Without industry billing, the calendar must determine when bills are due.',
    breach: (options) =>
      options.use_industry_billing !== true &&
      isCalendarMissing(options) &&
      'Send period_length and period_start_day, or use industry billing.',
  }),
  rule({
    code: 'account_billing_options_industry_billing_with_period_data',
    on: 'accountBillingOptions',
    field: 'period_length',
    reason: 'Bills are started either by industry data or by a calendar, not by both.',
    breach: (options) =>
      options.use_industry_billing === true &&
      CALENDAR_FIELDS.some((field) => isGiven(options[field])) &&
      'Industry billing is on: leave the period fields out.',
  }),
  rule({
    code: 'next_bill_to_date_not_provided_for_quarterly_billing',
    on: 'account',
    field: 'next_bill_due_date',
    completeness: true,
    reason: 'A quarterly calendar alone does not say which month ends the quarter.',
    breach: ({ account_billing_options: options, next_bill_due_date: due }) =>
      options?.period_length === 'QUARTERLY' &&
      options.use_industry_billing !== true &&
      !isGiven(due) &&
      'Send next_bill_due_date: the account is billed quarterly.',
  }),
  rule({
    code: 'invalid_day_of_month',
    on: 'account',
    field: 'smart_read_cycle_day',
    reason: 'Days 1 to 28 exist in every month.',
    breach: ({ smart_read_cycle_day: day }) =>
      day !== undefined && (day < 1 || day > 28) && `Enter a day from 1 to 28. Found ${day}.`,
  }),
];

const CALENDAR_FIELDS = [
  'period_length',
  'period_length_multiplier',
  'period_start_day',
  'period_start_month',
] as const satisfies readonly (keyof AccountBillingOptions)[];

function isCalendarMissing(options: AccountBillingOptions): boolean {
  return !isGiven(options.period_length) || !isGiven(options.period_start_day);
}
