import { LedgerRef } from '../ledger/ledger';
import { Integer, Moment, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A finished review of whether the payments suffice. Amounts are in minor currency units.')
export class PaymentAdequacyChange {
  @Moment('When the review was made.', { required: true })
  created_at: string;

  @Moment('When its result was announced and applied; null if it never was.', { nullable: true })
  applied_at?: string | null;

  @Text('Why it was never applied; null if it was.', { max: 512, nullable: true })
  should_not_be_applied_reason?: string | null;

  @Integer('Charges of a year by twelve, both fuels together.', { required: true, min: 0, example: 8000 })
  average_monthly_charge: number;

  @Integer('The part of it that is electricity.', { required: true, min: 0, example: 5000 })
  average_monthly_elec_charge: number;

  @Integer('The part of it that is gas.', { required: true, min: 0, example: 3000 })
  average_monthly_gas_charge: number;

  @Integer('Balance on the day of the review.', { required: true, example: -1200 })
  current_balance: number;

  @Integer('Balance that was wanted a year later.', { required: true, example: 0 })
  target_balance: number;

  @Integer('What to add each month to get there; zero if too little to matter.', {
    required: true,
    example: 100,
  })
  balance_adjustment: number;

  @Integer('Direct debit before the review.', { required: true, min: 0, example: 7500 })
  existing_direct_debit_payment: number;

  @Integer('Direct debit that it advised.', { required: true, min: 0, example: 8100 })
  new_direct_debit: number;

  @Nested('Ledger under review.', LedgerRef)
  ledger?: LedgerRef;
}
