import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Decimal, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A payment that the customer promised.')
export class PaymentPromise {
  @Decimal('Amount promised.', {
    amount: AMOUNTS.payment,
    required: true,
    whole: 8,
    places: 2,
    example: '50.00',
  })
  amount: string;

  @CalendarDate('Day by which the payment was promised.', { required: true }) payment_date: string;
  @Text('Type of the ledger that the payment is for.', { identifies: true }) ledger_code?: string;
}
