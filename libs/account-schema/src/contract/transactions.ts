import { AMOUNTS } from '../vocabulary/amounts';
import {
  CalendarDate,
  Choice,
  Code,
  Decimal,
  Dictionary,
  ListOf,
  ListOfDecimals,
  Money,
  PartIdentifier,
  PositiveMoney,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { unionOf } from '../vocabulary/union';
import { CHARGE_REASONS, CREDIT_REASONS } from './transaction-reasons';

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

  @Code('Identifier of the bill that a historical transaction belongs to; not for current transactions.')
  billing_document_identifier?: string;

  @Code(
    'Serial number of the prepayment meter that the amount was sent to; such an amount does not change the balance.',
    { tier: 'gbr' },
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

const TAX_UNITS = ['PROPORTION', 'CURRENCY_PER_KWH'] as const;

@About('A tax included in a charge.')
export class TaxItem {
  @Text('Type of tax.', { required: true, example: 'VAT' }) tax_type: string;
  @Choice('Unit of the tax rate.', TAX_UNITS, { required: true }) unit_type: (typeof TAX_UNITS)[number];

  @Decimal('Tax rate.', { amount: AMOUNTS.taxRate, required: true, whole: 15, places: 5, example: '0.05' })
  rate: string;

  @Decimal('Value that the rate was applied to: an amount, or kWh.', {
    amount: AMOUNTS.charge,
    required: true,
    whole: 15,
    places: 5,
    example: '67.88',
  })
  value_taxed: string;

  /** Not rounded to the currency, unlike amounts that change a balance. */
  @Decimal('Amount of tax.', { amount: AMOUNTS.charge, required: true, example: '3.39' }) amount: string;

  @Dictionary('Additional parameters.', { default: {} }) params?: Record<string, unknown>;
}

@About('The charge at one rate for one period.')
export class LineItem {
  @CalendarDate('First day charged.', { required: true, example: '2024-05-01' }) start_date: string;
  @CalendarDate('Last day charged.', { required: true, example: '2024-05-31' }) end_date: string;

  @Decimal('Number of units, such as kWh, cubic metres or days.', {
    required: true,
    whole: 12,
    places: 4,
    example: '210',
  })
  number_of_units: string;

  @Decimal("Price of one unit; defaults to the product's rate.", {
    amount: AMOUNTS.price,
    whole: 8,
    places: 7,
    example: '0.2450',
  })
  price_per_unit?: string;

  /** Not rounded to the currency, unlike amounts that change a balance. */
  @Decimal('Charge without tax.', { amount: AMOUNTS.charge, required: true, example: '51.45' })
  net_amount: string;

  @ListOfDecimals('Opening and closing meter readings.', {
    whole: 12,
    places: 4,
    example: ['14210', '14420'],
  })
  units?: string[];

  @Text('Rate band of the product.', { example: 'CONSUMPTION_STANDARD' }) rate_band?: string;
  @Code('Rate specification of the product.') rate_specification_code?: string;

  @Code('Code of the time series specification used for the charge.') time_series_specification_code?: string;

  @Code("Identifier of the rate in the supplier's system, for rates that replace others.")
  external_rate_identifier?: string;

  @Dictionary('Additional parameters, such as which of several meters was charged.', { default: {} })
  params?: Record<string, unknown>;
}

@About('A credit to the customer; raises the balance.')
export class CreditTransaction extends ReversibleTransaction {
  @Choice('Type of the transaction: a credit.', ['CREDIT'], { required: true }) type: 'CREDIT';

  @Choice('Reason for the credit.', CREDIT_REASONS, { required: true, example: 'GOODWILL_PAYMENT' })
  reason: (typeof CREDIT_REASONS)[number];

  @Text('Note that the customer may see.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}

@About('A charge for something other than supply; lowers the balance.')
export class ChargeTransaction extends ReversibleTransaction {
  @Choice('Type of the transaction: a charge.', ['CHARGE'], { required: true }) type: 'CHARGE';

  @Choice('Reason for the charge.', CHARGE_REASONS, { required: true, example: 'IMPORTED_CHARGE' })
  reason: (typeof CHARGE_REASONS)[number];

  @ListOf('Taxes included in the amount; defaults to none.', TaxItem) tax_items?: TaxItem[];

  @Text('Note that the customer may see.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}

@About('A charge for supply; lowers the balance.')
export class SupplyChargeTransaction extends ReversibleTransaction {
  @Choice('Type of the transaction: a charge for supply.', ['SUPPLY_CHARGE'], { required: true })
  type: 'SUPPLY_CHARGE';

  @Code('Code of the product that was charged.', { required: true, example: 'HOME-VAR', list: 'products' })
  product_code: string;

  @Code('Supply point that was charged; required for line items with a rate specification.', {
    example: '1000000000110',
  })
  supply_point_identifier?: string;

  @ListOf('The charge broken down by rate and period.', LineItem, { required: true }) line_items: LineItem[];
  @ListOf('Taxes included in the amount; defaults to none.', TaxItem) tax_items?: TaxItem[];

  @Text('Note that the customer may see.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}

const PAYMENT_MEANS = [
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
] as const;

const PAYMENT_REASONS = [
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
] as const;

@About('A payment from the customer; raises the balance.')
export class PaymentTransaction extends MoneyTransfer {
  @Choice('Type of the transaction: a payment.', ['PAYMENT'], { required: true }) type: 'PAYMENT';
  @Choice('Method of payment.', PAYMENT_MEANS, { example: 'DD_REGULAR_COLLECTION' })
  payment_type?: (typeof PAYMENT_MEANS)[number];
  @Choice('Reason for the payment.', PAYMENT_REASONS, { example: 'REGULAR_SCHEDULE' })
  reason?: (typeof PAYMENT_REASONS)[number];

  @Code("Reference of the payment in the supplier's system.", { example: 'DDM-77120-05' }) reference?: string;

  @Text('Note that the customer may see.', { deprecated: true }) display_note?: string;
}

const REPAYMENT_REASONS = [
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
] as const;

const REPAYMENT_METHODS = ['DIRECT_CREDIT', 'CARD_REFUND', 'BACS', 'CHEQUE', ''] as const;

@About('A repayment to the customer; lowers the balance.')
export class RepaymentTransaction extends MoneyTransfer {
  @Choice('Type of the transaction: a repayment.', ['REPAYMENT'], { required: true }) type: 'REPAYMENT';

  @Choice('Method of repayment.', REPAYMENT_METHODS, { example: 'BACS' })
  payment_type?: (typeof REPAYMENT_METHODS)[number];

  @Choice('Reason for the repayment.', REPAYMENT_REASONS, { example: 'PARTIAL_CREDIT_REFUND' })
  reason?: (typeof REPAYMENT_REASONS)[number];

  @Code("Reference of the repayment in the supplier's system.", { example: 'REF-0099' }) reference?: string;

  @Text('Note that the customer may see.', { deprecated: true }) display_note?: string;
}

/** A transaction of any type. */
export type Transaction =
  | CreditTransaction
  | ChargeTransaction
  | PaymentTransaction
  | RepaymentTransaction
  | SupplyChargeTransaction;

/** The union of all transactions, by `type`. */
export const anyTransaction = unionOf(
  'Transaction',
  'A transaction of a ledger; `type` selects its form.',
  'type',
  {
    CREDIT: CreditTransaction,
    CHARGE: ChargeTransaction,
    PAYMENT: PaymentTransaction,
    REPAYMENT: RepaymentTransaction,
    SUPPLY_CHARGE: SupplyChargeTransaction,
  },
);
