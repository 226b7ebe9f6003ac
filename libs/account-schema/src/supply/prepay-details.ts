import { CalendarDate, Money, Nested } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

/** What is said alike of prepayment meters for electricity and for gas. */
abstract class AnyPrepayDetails {
  @Money('Credit on the meter when the last statement closed, in pounds.', {
    required: true,
    tier: 'gbr',
    example: '12.40',
  })
  credit_balance: string;

  @Money('Debt on the meter at the same time, in pounds and above zero.', {
    required: true,
    tier: 'gbr',
    example: '0.00',
  })
  debt_balance: string;

  @CalendarDate('Day of the reading it goes by: the last one that is billed.', {
    required: true,
    tier: 'gbr',
  })
  transfer_vend_read_date: string;
}

@About('What stands on a prepayment meter for electricity.')
export class ElectricityPrepayDetails extends AnyPrepayDetails {}

@About('How fast a gas meter takes back its debt.')
export class GasDebtRepaymentOptions {
  @Money('Least it takes a week, in pounds and above zero; nothing unless given.', {
    tier: 'gbr',
    example: '1.00',
  })
  weekly_min?: string;

  @Money('Most it takes a week, in pounds and above zero; nothing unless given.', {
    tier: 'gbr',
    example: '5.00',
  })
  weekly_max?: string;
}

@About('What stands on a prepayment meter for gas.')
export class GasPrepayDetails extends AnyPrepayDetails {
  @Nested('How fast it takes back its debt.', GasDebtRepaymentOptions, { tier: 'gbr' })
  gas_debt_repayment_options?: GasDebtRepaymentOptions;
}
