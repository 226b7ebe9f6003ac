import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Decimal, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A security deposit that the customer agreed to.')
export class DepositAgreement {
  @Decimal('Amount of the deposit.', { amount: AMOUNTS.payment, required: true, whole: 10, places: 10 })
  deposit_amount: string;

  @Text('Reason for the deposit.', { required: true, example: 'Two missed payments.' }) reason: string;
  @Moment('When the customer agreed.', { nullable: true }) accepted_at?: string | null;
  @Moment('When the deposit was fully paid.', { nullable: true }) fulfilled_at?: string | null;

  @CalendarDate('Day up to which interest was calculated; only for a paid deposit.', { nullable: true })
  last_interest_date?: string | null;
}
