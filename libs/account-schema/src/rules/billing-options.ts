import { type AccountBillingOptions } from '../account/account-billing-options';
import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';

/** From which day, and how often, an account is billed. */
export const BILLING_OPTION_RULES: readonly Rule[] = [
  rule({
    code: 'account_billing_options_provided_for_domestic_accounts',
    path: 'account_billing_options',
    tier: 'gbr',
    why: 'Domestic accounts are billed as the market says, not by a calendar of their own.',
    checks: {
      account(account, { isDomestic }, report) {
        if (isDomestic && account.account_billing_options)
          report(
            'account_billing_options',
            'Billing options are for business accounts; this one is domestic.',
          );
      },
    },
  }),
  rule({
    code: 'business_account_missing_billing_options',
    path: 'account_billing_options',
    tier: 'gbr',
    completeness: true,
    why: 'A calendar without a day or a length says nothing about when a bill is due.',
    checks: {
      account({ account_billing_options: options }, { isBusiness }, report) {
        if (isBusiness && options && options.use_industry_billing !== true && lacksCalendar(options))
          report('account_billing_options', 'Say from which day, and for how long, a billing period runs.');
      },
    },
  }),
  rule({
    code: 'account_billing_options_period_data_required',
    path: 'account_billing_options.period_length',
    why: 'Without industry data, a calendar must say when bills are due.',
    checks: {
      accountBillingOptions(options, _facts, report) {
        if (options.use_industry_billing !== true && lacksCalendar(options))
          report('period_length', 'Send period_length and period_start_day, or use industry billing.');
      },
    },
  }),
  rule({
    code: 'account_billing_options_industry_billing_with_period_data',
    path: 'account_billing_options.period_length',
    why: 'Either industry data starts a bill or a calendar does.',
    checks: {
      accountBillingOptions(options, _facts, report) {
        if (options.use_industry_billing === true && CALENDAR.some((field) => given(options[field])))
          report('period_length', 'Industry data starts the bills: leave the period fields out.');
      },
    },
  }),
  rule({
    code: 'next_bill_to_date_not_provided_for_quarterly_billing',
    path: 'next_bill_due_date',
    completeness: true,
    why: 'Which of three months ends a quarter, nobody can guess.',
    checks: {
      account({ account_billing_options: options, next_bill_due_date: due }, _facts, report) {
        if (options?.period_length === 'QUARTERLY' && options.use_industry_billing !== true && !given(due))
          report(
            'next_bill_due_date',
            'Say when the next bill is due: the account is billed by the quarter.',
          );
      },
    },
  }),
  rule({
    code: 'invalid_day_of_month',
    path: 'smart_read_cycle_day',
    tier: 'gbr',
    why: 'Every month has the days 1 to 28 only.',
    checks: {
      account({ smart_read_cycle_day: day }, _facts, report) {
        if (day !== undefined && (day < 1 || day > 28))
          report('smart_read_cycle_day', `Enter a day from 1 to 28. Found ${day}.`);
      },
    },
  }),
];

const CALENDAR = [
  'period_length',
  'period_length_multiplier',
  'period_start_day',
  'period_start_month',
] as const satisfies readonly (keyof AccountBillingOptions)[];

function lacksCalendar(options: AccountBillingOptions): boolean {
  return !given(options.period_length) || !given(options.period_start_day);
}
