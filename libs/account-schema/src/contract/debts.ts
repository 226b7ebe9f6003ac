import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Choice, Code, Decimal, Flag, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The part of a debt that became due on one day.')
export class AgedDebt {
  @Decimal('Amount due.', { amount: AMOUNTS.debt, whole: 8, places: 2, example: '40.00' })
  debt_amount?: string;

  @CalendarDate('Day on which it became due.') due_date?: string;
}

@About('An overdue debt of the account and its collection.')
export class Debt {
  @Flag('Whether the debtor is currently insolvent.', { default: false }) is_insolvent?: boolean;

  @Text("Agency that collects the debt, from the operator's list.", {
    maxLength: 256,
    example: 'Fernley Collections',
    list: 'debt_collection_agencies',
  })
  agency_name?: string;

  @Text('Campaign of the agency.', { maxLength: 256 }) campaign?: string;

  @CalendarDate('Start of collection; defaults to the day of import if an agency is given.')
  start_date?: string;

  @Text('Remarks about the collection.', { maxLength: 256 }) notes?: string;

  @Code('CAIS reference under which credit reference agencies exchange data about the debt.')
  cais_reference?: string;

  @ListOf('The debt broken down by due date.', AgedDebt) aged_debt?: AgedDebt[];
}

@About("The sequence of reminders for the account's arrears.")
export class DunningPath {
  @Text("Name of the path, from the operator's list.", {
    required: true,
    maxLength: 256,
    example: 'Gentle reminders',
    list: 'dunning_paths',
  })
  path_name: string;

  @CalendarDate("First day on the path, not in the past; defaults to a day after the supplier's usual delay.")
  start_date?: string;
}

@About('A security deposit that the customer agreed to.')
export class DepositAgreement {
  @Decimal('Amount of the deposit.', { amount: AMOUNTS.payment, required: true }) deposit_amount: string;

  @Text('Reason for the deposit.', { required: true, example: 'Two missed payments.' }) reason: string;
  @Moment('When the customer agreed.', { nullable: true }) accepted_at?: string | null;
  @Moment('When the deposit was fully paid.', { nullable: true }) fulfilled_at?: string | null;

  @CalendarDate('Day up to which interest was calculated; only for a paid deposit.', { nullable: true })
  last_interest_date?: string | null;
}

@About('A period for which contributions were made.')
export class ContributionPeriod {
  @CalendarDate('First day of the period.', { required: true }) start_date: string;
  @CalendarDate('End of the period, exclusive.', { required: true }) end_date: string;
  @Moment('When the period was agreed.', { nullable: true }) fulfilled_at?: string | null;
}

const CONTRIBUTION_INTERVALS = ['MONTHLY', 'QUARTERLY'] as const;

@About('An agreement to pay a fixed amount into a scheme at regular intervals.')
export class ContributionAgreement {
  @Code("Code of the scheme, from the operator's list.", {
    required: true,
    example: 'SOLAR_FUND',
    list: 'contribution_schemes',
  })
  scheme: string;

  @Decimal('Amount of each payment.', { amount: AMOUNTS.payment, required: true }) amount: string;

  @Choice('Interval between payments.', CONTRIBUTION_INTERVALS, { required: true })
  interval: (typeof CONTRIBUTION_INTERVALS)[number];
  @CalendarDate('First day of the agreement.', { required: true }) active_period_start_date: string;

  @CalendarDate('Last day of the agreement; null if open-ended.', { nullable: true })
  active_period_end_date?: string | null;

  @ListOf('Contribution periods until now.', ContributionPeriod) periods?: ContributionPeriod[];
}
