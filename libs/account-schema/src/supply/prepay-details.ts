import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Decimal, Nested } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

/** The fields that electricity and gas prepayment details share. */
abstract class AnyPrepayDetails {
  @Decimal('Credit on the meter when the last statement closed.', {
    amount: AMOUNTS.meterCredit,
    required: true,
    whole: 10,
    places: 10,
    tier: 'gbr',
    example: '12.40',
  })
  credit_balance: string;

  @Decimal('Debt on the meter at the same time.', {
    amount: AMOUNTS.debt,
    required: true,
    whole: 10,
    places: 10,
    tier: 'gbr',
    example: '0.00',
  })
  debt_balance: string;

  @CalendarDate('Day of the vend reading, the last billed day.', { required: true, tier: 'gbr' })
  transfer_vend_read_date: string;
}

@About('Balance on a prepayment meter for electricity.')
export class ElectricityPrepayDetails extends AnyPrepayDetails {}

@About('How a gas meter recovers its debt.')
export class GasDebtRepaymentOptions {
  @Decimal('Minimum recovered per week; defaults to zero.', {
    amount: AMOUNTS.payment,
    whole: 10,
    places: 10,
    tier: 'gbr',
    example: '1.00',
  })
  weekly_min?: string;

  @Decimal('Maximum recovered per week; defaults to zero.', {
    amount: AMOUNTS.payment,
    whole: 10,
    places: 10,
    tier: 'gbr',
    example: '5.00',
  })
  weekly_max?: string;
}

@About('Balance on a prepayment meter for gas.')
export class GasPrepayDetails extends AnyPrepayDetails {
  @Nested('How the meter recovers its debt.', GasDebtRepaymentOptions, { tier: 'gbr' })
  gas_debt_repayment_options?: GasDebtRepaymentOptions;
}
