import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Choice, Decimal, Flag, Integer, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An instalment of a schedule that was planned in advance.')
export class Instalment {
  @CalendarDate('Day on which the instalment is due.', { required: true }) payment_date: string;

  @Decimal('Amount of the instalment.', {
    amount: AMOUNTS.payment,
    required: true,
    whole: 8,
    places: 2,
    example: '25.00',
  })
  amount: string;

  @Choice('Type of instalment; the only published value is the empty text.', ['']) payment_type?: string;
}

@About('When and how payments are collected.')
export class PaymentSchedule {
  @CalendarDate('First day of the schedule.', { required: true, example: '2024-01-01' }) start_date: string;
  @CalendarDate('Last day of the schedule; null if open-ended.', { nullable: true }) end_date?: string | null;

  @Choice(
    'Trigger of a collection; with BILL each bill is paid in full.',
    ['PLAN', 'REGULAR', 'REGULAR_PLAN', 'BALANCE', 'BILL'],
    { default: 'REGULAR', example: 'REGULAR' },
  )
  trigger?: string;

  @Choice('How the payments are made.', ['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP'], {
    required: true,
    example: 'DD',
  })
  means: string;

  @Choice(
    'Frequency of the payments.',
    ['MONTHLY', 'QUARTERLY', 'WEEKLY', 'FORTNIGHTLY', 'FOUR_WEEKLY', 'ANNUALLY', 'SIX_MONTHLY'],
    { example: 'MONTHLY' },
  )
  frequency?: string;

  @Integer('Day of the month on which a payment is due.', { nullable: true, example: 1 })
  day_of_month?: number | null;

  @Decimal('Amount of each payment.', {
    amount: AMOUNTS.payment,
    whole: 8,
    places: 2,
    default: '0.00',
    example: '130.00',
  })
  amount?: string;

  @Decimal('Balance of the ledger below which a payment is collected; for the trigger BALANCE.', {
    amount: AMOUNTS.balance,
    whole: 8,
    places: 2,
  })
  balance_threshold?: string;

  @Integer('Number of days from bill to collection; for the trigger BILL.') delay_days?: number;

  @Choice('Whether the delay is counted in calendar days or working days.', ['FIXED', 'WORKING_DAYS'])
  delay_strategy?: string;

  @Flag('Whether the schedule repays a debt; it may then overlap with other schedules.', { default: false })
  is_debt_repayment_plan?: boolean;

  @Decimal('The part of each payment that repays debt.', { amount: AMOUNTS.payment, whole: 8, places: 2 })
  debt_repayment_element?: string;

  @CalendarDate('Last day on which that part is collected.') debt_repayment_end_date?: string;

  @Flag('Whether payment reviews leave the schedule unchanged; for the trigger REGULAR.', { default: false })
  exempt_from_payment_adequacy?: boolean;

  @ListOf('Planned instalments, at most one of each type a day; for the trigger PLAN.', Instalment)
  instalments?: Instalment[];

  @Text('Type of the ledger that the schedule is for.', {
    identifies: true,
    example: 'MAIN',
    list: 'ledger_types',
  })
  ledger_code?: string;

  @Choice('Payer of the schedule.', ['CUSTOMER', 'FUEL_DIRECT'], { default: 'CUSTOMER' }) paid_by?: string;
}
