import { AMOUNTS } from '../vocabulary/amounts';
import { LedgerRef } from '../ledger/ledger';
import { Integer, Moment, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A completed review of whether the payments are sufficient.')
export class PaymentAdequacyChange {
  @Moment('When the review was made.', { required: true }) created_at: string;

  @Moment('When the result was announced and applied; null if it was not.', { nullable: true })
  applied_at?: string | null;

  @Text('Reason why the result was not applied; null if it was.', { max: 512, nullable: true })
  should_not_be_applied_reason?: string | null;

  @Integer('A twelfth of the yearly charges for electricity and gas together.', {
    amount: AMOUNTS.minorTotal,
    required: true,
    min: 0,
    example: 8000,
  })
  average_monthly_charge: number;

  @Integer('The part of the monthly charge for electricity.', {
    amount: AMOUNTS.minorTotal,
    required: true,
    min: 0,
    example: 5000,
  })
  average_monthly_elec_charge: number;

  @Integer('The part of the monthly charge for gas.', {
    amount: AMOUNTS.minorTotal,
    required: true,
    min: 0,
    example: 3000,
  })
  average_monthly_gas_charge: number;

  @Integer('Balance on the day of the review.', {
    amount: AMOUNTS.minorBalance,
    required: true,
    example: -1200,
  })
  current_balance: number;

  @Integer('Target balance one year after the review.', {
    amount: AMOUNTS.minorBalance,
    required: true,
    example: 0,
  })
  target_balance: number;

  @Integer('Monthly adjustment to reach the target balance; zero if negligible.', {
    amount: AMOUNTS.minorIncrease,
    required: true,
    example: 100,
  })
  balance_adjustment: number;

  @Integer('Monthly direct debit before the review.', {
    amount: AMOUNTS.minorPayment,
    required: true,
    min: 0,
    example: 7500,
  })
  existing_direct_debit_payment: number;

  @Integer('Monthly direct debit advised by the review.', {
    amount: AMOUNTS.minorPayment,
    required: true,
    min: 0,
    example: 8100,
  })
  new_direct_debit: number;

  @Nested('Ledger that was reviewed.', LedgerRef) ledger?: LedgerRef;
}
