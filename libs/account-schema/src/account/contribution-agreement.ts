import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Choice, Decimal, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A period for which contributions were made.')
export class ContributionPeriod {
  @CalendarDate('First day of the period.', { required: true }) start_date: string;
  @CalendarDate('End of the period, exclusive.', { required: true }) end_date: string;
  @Moment('When the period was agreed.', { nullable: true }) fulfilled_at?: string | null;
}

@About('An agreement to pay a fixed amount into a scheme at regular intervals.')
export class ContributionAgreement {
  @Text("Code of the scheme, from the operator's list.", {
    identifies: true,
    required: true,
    example: 'SOLAR_FUND',
    list: 'contribution_schemes',
  })
  scheme: string;

  @Decimal('Amount of each payment.', { amount: AMOUNTS.payment, required: true, whole: 10, places: 10 })
  amount: string;

  @Choice('Interval between payments.', ['MONTHLY', 'QUARTERLY'], { required: true }) interval: string;
  @CalendarDate('First day of the agreement.', { required: true }) active_period_start_date: string;

  @CalendarDate('Last day of the agreement; null if open-ended.', { nullable: true })
  active_period_end_date?: string | null;

  @ListOf('Contribution periods until now.', ContributionPeriod) periods?: ContributionPeriod[];
}
