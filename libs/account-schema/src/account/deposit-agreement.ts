import { CalendarDate, Moment, Money, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A security deposit that the customer agreed to.')
export class DepositAgreement {
  @Money('Size of the deposit.', { required: true })
  deposit_amount: string;

  @Text('Why one was asked for.', { required: true, example: 'Two missed payments.' })
  reason: string;

  @Moment('When the customer agreed.', { nullable: true })
  accepted_at?: string | null;

  @Moment('When all of it had been paid.', { nullable: true })
  fulfilled_at?: string | null;

  @CalendarDate('Up to which day interest was worked out; only for a deposit that is paid.', {
    nullable: true,
  })
  last_interest_date?: string | null;
}
