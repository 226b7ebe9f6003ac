import { ACCOUNT_DETAIL_RULES } from './account-details';
import { ACCOUNT_KIND_RULES } from './account-kind';
import { ADDRESS_RULES } from './addresses';
import { AGREEMENT_RULES } from './agreements';
import { BILLING_OPTION_RULES } from './billing-options';
import { BUSINESS_RULES } from './business';
import { CONTRIBUTION_RULES } from './contributions';
import { DEBT_AND_COMPLAINT_RULES } from './debts-and-complaints';
import { LEDGER_RULES } from './ledgers';
import { MARKET_RULES } from './market';
import { METER_POINT_RULES } from './meter-points';
import { METER_RULES } from './meters';
import { NOTE_RULES } from './notes';
import { OPERATOR_LIST_RULES } from './operator-lists';
import { PAYMENT_REVIEW_RULES } from './payment-reviews';
import { PAYMENT_SCHEDULE_RULES } from './payment-schedules';
import { PAYMENT_RULES } from './payments';
import { PEOPLE_RULES } from './people';
import { PERIOD_RULES } from './periods';
import { PORTFOLIO_RULES } from './portfolios';
import { PRIORITY_SERVICE_RULES } from './priority-services';
import { READING_RULES } from './readings';
import { REGISTERED_DETAIL_RULES } from './registered-details';
import { REQUEST_RULES } from './requests';
import { SCHEDULING_RULES } from './scheduling';
import { SETTLEMENT_RULES } from './settlement';
import { STATEMENT_HISTORY_RULES } from './statement-history';
import { STATEMENT_RULES } from './statements';
import { STORED_RULES } from './stored';
import { SUPPLY_ADDRESS_RULES } from './supply-addresses';
import { SUPPLY_CHARGE_RULES } from './supply-charges';
import { TRANSACTION_RULES } from './transactions';
import type { Rule } from './engine/rule';

/** A subject with its rules: a section of the documentation. */
export interface Subject {
  readonly title: string;
  readonly rules: readonly Rule[];
}

/** All subjects: first the account, then its parts, then checks against stored data and later requests. */
export const SUBJECTS: readonly Subject[] = [
  { title: 'Account type', rules: ACCOUNT_KIND_RULES },
  { title: 'Account details', rules: ACCOUNT_DETAIL_RULES },
  { title: 'Portfolios', rules: PORTFOLIO_RULES },
  { title: 'Businesses', rules: BUSINESS_RULES },
  { title: 'People', rules: PEOPLE_RULES },
  { title: 'Registered details', rules: REGISTERED_DETAIL_RULES },
  { title: 'Priority services', rules: PRIORITY_SERVICE_RULES },
  { title: "Values from the operator's lists", rules: OPERATOR_LIST_RULES },
  { title: 'Billing address', rules: ADDRESS_RULES },
  { title: 'Billing options', rules: BILLING_OPTION_RULES },
  { title: 'Supply addresses', rules: SUPPLY_ADDRESS_RULES },
  { title: 'Meter points', rules: METER_POINT_RULES },
  { title: 'Agreements', rules: AGREEMENT_RULES },
  { title: 'Meters', rules: METER_RULES },
  { title: 'Readings', rules: READING_RULES },
  { title: 'Settlement', rules: SETTLEMENT_RULES },
  { title: 'Market participants and brokers', rules: MARKET_RULES },
  { title: 'Start and end dates', rules: PERIOD_RULES },
  { title: 'Statements', rules: STATEMENT_RULES },
  { title: 'Last statement', rules: STATEMENT_HISTORY_RULES },
  { title: 'Balances and ledgers', rules: LEDGER_RULES },
  { title: 'Transactions', rules: TRANSACTION_RULES },
  { title: 'Supply charges', rules: SUPPLY_CHARGE_RULES },
  { title: 'Mandates, preferences and plans', rules: PAYMENT_RULES },
  { title: 'Payment schedules', rules: PAYMENT_SCHEDULE_RULES },
  { title: 'Payment reviews', rules: PAYMENT_REVIEW_RULES },
  { title: 'Debts, deposits and complaints', rules: DEBT_AND_COMPLAINT_RULES },
  { title: 'Contributions', rules: CONTRIBUTION_RULES },
  { title: 'Notes', rules: NOTE_RULES },
  { title: 'Scheduling', rules: SCHEDULING_RULES },
  { title: 'Checks against stored data', rules: STORED_RULES },
  { title: 'Requests after the import', rules: REQUEST_RULES },
];

/** All rules. `docs/validation-rules.md` is generated from this list. */
export const RULES: readonly Rule[] = SUBJECTS.flatMap(({ rules }) => rules);
