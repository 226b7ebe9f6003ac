import { Choice, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyTransaction } from './transaction';

const REASONS = [
  'FULL_CREDIT_REFUND',
  'PARTIAL_CREDIT_REFUND',
  'FULL_PREPAYMENT_REFUND',
  'PARTIAL_REPAYMENT_REFUND',
  'ET_REFUND',
  'GENERATOR_ACCOUNT_REFUND',
  'DOMESTIC_EXPORT_ONLY_REPAYMENT',
  'FINAL_BALANCE_SETTLEMENT',
  'MISTAKEN_PAYMENT_TAKEN',
  'PAYMENT_CORRECTION',
  'COMPLAINT_COMPENSATION',
  'INDEMNITY_CLAIM',
  'FAILED_PAYMENT',
  'FEED_IN_TARIFF_PAYMENT',
  'GSOS_PAYMENT',
  'SEG_PAYMENT',
  'DEPOSIT_RETURN',
  'LATE_FAILED_PAYMENT',
  'CANCELED_BILL',
  'BILLING_ADJUSTMENT',
  'ETF_CREDIT',
  'FAST_TRACK',
  'CHARGEBACK',
  '',
];

@About('Money back to the customer: it lowers the balance.')
export class RepaymentTransaction extends AnyTransaction {
  @Choice('Marks a repayment.', ['REPAYMENT'], { required: true })
  type: 'REPAYMENT';

  @Choice('How it was paid back.', ['DIRECT_CREDIT', 'CARD_REFUND', 'BACS', 'CHEQUE', ''], {
    example: 'BACS',
  })
  payment_type?: string;

  @Choice('Why it was paid back.', REASONS, { example: 'PARTIAL_CREDIT_REFUND' })
  reason?: string;

  @Text("Reference in the supplier's system.", { example: 'REF-0099' })
  reference?: string;

  @Text('Words that the customer may read.', { deprecated: true })
  display_note?: string;
}
