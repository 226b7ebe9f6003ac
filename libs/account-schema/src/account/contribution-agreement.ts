import { CalendarDate, Choice, ListOf, Moment, Money, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A stretch of time for which contributions were made.')
export class ContributionPeriod {
  @CalendarDate('First day.', { required: true })
  start_date: string;

  @CalendarDate('Day on which the period no longer counts.', { required: true })
  end_date: string;

  @Moment('When the period was agreed.', { nullable: true })
  fulfilled_at?: string | null;
}

@About('A fixed sum that the customer pays into a scheme at regular intervals.')
export class ContributionAgreement {
  @Text('Code of the scheme.', { required: true, example: 'SOLAR_FUND' })
  scheme: string;

  @Money('Sum paid each time.', { required: true })
  amount: string;

  @Choice('How often it is paid.', ['MONTHLY', 'QUARTERLY'], { required: true })
  interval: string;

  @CalendarDate('First day of the agreement.', { required: true })
  active_period_start_date: string;

  @CalendarDate('Last day of the agreement; null while it runs on.', { nullable: true })
  active_period_end_date?: string | null;

  @ListOf('Periods of contribution up to now.', ContributionPeriod)
  periods?: ContributionPeriod[];
}
