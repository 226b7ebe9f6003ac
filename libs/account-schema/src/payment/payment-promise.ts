import { CalendarDate, Decimal, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A payment that the customer promised.')
export class PaymentPromise {
  @Decimal('How much.', { required: true, whole: 8, places: 2, example: '50.00' })
  amount: string;

  @CalendarDate('By which day.', { required: true })
  payment_date: string;

  @Text('Type of the ledger that it is for.')
  ledger_code?: string;
}
