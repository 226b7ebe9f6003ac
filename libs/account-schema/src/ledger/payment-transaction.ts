import { Choice, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { MoneyTransfer } from './transaction';

const MEANS = [
  'DD_FIRST_COLLECTION',
  'DD_REGULAR_COLLECTION',
  'DD_RE_PRESENTATION',
  'DD_FINAL_COLLECTION',
  'CREDIT_CARD',
  'DEBIT_CARD',
  'CHEQUE',
  'BACS_DEPOSIT',
  'DCA_COLLECTION',
  'CASH',
  'FUEL_DIRECT',
  'HEEA',
  'HEEAS',
  'EAPA_VOUCHER',
  'URGS',
  'EFT',
  'ERRONEOUS_PAYMENT',
  'KONBINI',
  '',
];

const REASONS = [
  'ACCOUNT_CHARGE_PAYMENT',
  'BALANCE_ADJUSTMENT',
  'GENERAL_CREDIT',
  'SSD_PAYMENT',
  'DEBT_REPAYMENT',
  'PREPAY_RECORD',
  'DEPOSIT',
  'SETTLEMENT',
  'BALANCE_THRESHOLD_CROSSED',
  'BILL_ISSUED',
  'PAYMENT_PLAN',
  'REGULAR_SCHEDULE',
  'REPAYMENT_CORRECTION',
  '',
];

@About('A payment from the customer; raises the balance.')
export class PaymentTransaction extends MoneyTransfer {
  @Choice('Type of the transaction: a payment.', ['PAYMENT'], { required: true }) type: 'PAYMENT';
  @Choice('Method of payment.', MEANS, { example: 'DD_REGULAR_COLLECTION' }) payment_type?: string;
  @Choice('Reason for the payment.', REASONS, { example: 'REGULAR_SCHEDULE' }) reason?: string;

  @Text("Reference of the payment in the supplier's system.", { identifies: true, example: 'DDM-77120-05' })
  reference?: string;

  @Text('Note that the customer may see.', { deprecated: true }) display_note?: string;
}
