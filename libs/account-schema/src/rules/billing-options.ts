import type { AccountBillingOptions } from '../account/account-billing-options';
import { rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/** Rules about the billing calendar of an account. */
export const BILLING_OPTION_RULES: readonly Rule[] = [
  rule({
    code: 'account_billing_options_provided_for_domestic_accounts',
    path: 'account_billing_options',
    tier: 'gbr',
    reason: 'Only business accounts may set their own billing calendar.',
    checks: {
      account(account, { isDomestic }, report) {
        if (isDomestic && account.account_billing_options)
          report('account_billing_options', 'Billing options are for business accounts: leave them out.');
      },
    },
  }),
  rule({
    code: 'business_account_missing_billing_options',
    path: 'account_billing_options',
    tier: 'gbr',
    completeness: true,
    reason: 'Without a day and a length the calendar does not determine when a bill is due.',
    checks: {
      account({ account_billing_options: options }, { isBusiness }, report) {
        if (isBusiness && options && options.use_industry_billing !== true && isCalendarMissing(options))
          report('account_billing_options', 'Send the start day and the length of the billing period.');
      },
    },
  }),
  rule({
    code: 'account_billing_options_period_data_required',
    path: 'account_billing_options.period_length',
    reason: 'Without industry billing, the calendar must determine when bills are due.',
    checks: {
      accountBillingOptions(options, _facts, report) {
        if (options.use_industry_billing !== true && isCalendarMissing(options))
          report('period_length', 'Send period_length and period_start_day, or use industry billing.');
      },
    },
  }),
  rule({
    code: 'account_billing_options_industry_billing_with_period_data',
    path: 'account_billing_options.period_length',
    reason: 'Bills are started either by industry data or by a calendar, not by both.',
    checks: {
      accountBillingOptions(options, _facts, report) {
        if (options.use_industry_billing === true && CALENDAR_FIELDS.some((field) => isGiven(options[field])))
          report('period_length', 'Industry billing is on: leave the period fields out.');
      },
    },
  }),
  rule({
    code: 'next_bill_to_date_not_provided_for_quarterly_billing',
    path: 'next_bill_due_date',
    completeness: true,
    reason: 'A quarterly calendar alone does not say which month ends the quarter.',
    checks: {
      account({ account_billing_options: options, next_bill_due_date: due }, _facts, report) {
        if (options?.period_length === 'QUARTERLY' && options.use_industry_billing !== true && !isGiven(due))
          report('next_bill_due_date', 'Send next_bill_due_date: the account is billed quarterly.');
      },
    },
  }),
  rule({
    code: 'invalid_day_of_month',
    path: 'smart_read_cycle_day',
    tier: 'gbr',
    reason: 'Days 1 to 28 exist in every month.',
    checks: {
      account({ smart_read_cycle_day: day }, _facts, report) {
        if (day !== undefined && (day < 1 || day > 28))
          report('smart_read_cycle_day', `Enter a day from 1 to 28. Found ${day}.`);
      },
    },
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
