import { CalendarDate, Money, Text } from '../vocabulary/decorators';

/** What every transaction says of itself. Which class it is, and what its amount does, comes from `type`. */
export abstract class AnyTransaction {
  @Text("The transaction's identifier in the supplier's system; a payload has each once.", {
    required: true,
    example: 'HB-0001',
  })
  transaction_id: string;

  @CalendarDate('Day of the transaction, today at the latest.', { required: true, example: '2024-05-01' })
  transaction_date: string;

  @Money(
    'Amount in major currency units. Payments and repayments are above zero; a charge or credit below zero takes one back.',
    { required: true, example: '65.00' },
  )
  amount: string;

  @Text('Words for staff only.')
  note?: string;

  @Text('What groups transactions of the past under one bill; not for current ones.')
  billing_document_identifier?: string;

  @Text('Prepayment meter that the amount was sent to; it then leaves the balance alone.', { tier: 'gbr' })
  to_prepay_meter_serial_number?: string;
}
