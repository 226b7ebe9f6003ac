import { Choice, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { MoneyTransfer } from './transaction';

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

@About('A repayment to the customer; lowers the balance.')
export class RepaymentTransaction extends MoneyTransfer {
  @Choice('Type of the transaction: a repayment.', ['REPAYMENT'], { required: true }) type: 'REPAYMENT';

  @Choice('Method of repayment.', ['DIRECT_CREDIT', 'CARD_REFUND', 'BACS', 'CHEQUE', ''], { example: 'BACS' })
  payment_type?: string;

  @Choice('Reason for the repayment.', REASONS, { example: 'PARTIAL_CREDIT_REFUND' }) reason?: string;

  @Text("Reference of the repayment in the supplier's system.", { identifies: true, example: 'REF-0099' })
  reference?: string;

  @Text('Note that the customer may see.', { deprecated: true }) display_note?: string;
}
