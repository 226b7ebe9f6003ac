import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Money, PartIdentifier, PositiveMoney, Text } from '../vocabulary/decorators';

/** The fields that all transactions share. Their `type` determines the class and the effect on the balance. */
export abstract class AnyTransaction {
  @PartIdentifier("Identifier of the transaction in the supplier's system, unique in a payload.", {
    required: true,
    example: 'HB-0001',
  })
  transaction_id: string;

  @CalendarDate('Day of the transaction, not in the future.', { required: true, example: '2024-05-01' })
  transaction_date: string;

  @Text('Note for staff only.') note?: string;

  @Text('Identifier of the bill that a historical transaction belongs to; not for current transactions.', {
    identifies: true,
  })
  billing_document_identifier?: string;

  @Text(
    'Serial number of the prepayment meter that the amount was sent to; such an amount does not change the balance.',
    { identifies: true, tier: 'gbr' },
  )
  to_prepay_meter_serial_number?: string;
}

/** A charge or a credit. */
export abstract class ReversibleTransaction extends AnyTransaction {
  @Money('Amount of the charge or credit.', { amount: AMOUNTS.reversible, required: true, example: '65.00' })
  amount: string;
}

/** A payment or a repayment. */
export abstract class MoneyTransfer extends AnyTransaction {
  @PositiveMoney('Amount that is paid.', { amount: AMOUNTS.transfer, required: true, example: '65.00' })
  amount: string;
}
