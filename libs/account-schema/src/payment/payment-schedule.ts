import { CalendarDate, Choice, Decimal, Flag, Integer, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('One amount of a schedule that was planned in advance.')
export class Instalment {
  @CalendarDate('When it is due.', { required: true })
  payment_date: string;

  @Decimal('How much.', { required: true, whole: 8, places: 2, example: '25.00' })
  amount: string;

  @Choice('Kind of instalment; only the empty text is published.', [''])
  payment_type?: string;
}

@About('When and how payments are collected.')
export class PaymentSchedule {
  @CalendarDate('First day.', { required: true, example: '2024-01-01' })
  start_date: string;

  @CalendarDate('Last day; null while it runs on.', { nullable: true })
  end_date?: string | null;

  @Choice(
    'What starts a collection; with BILL each bill is paid in full.',
    ['PLAN', 'REGULAR', 'REGULAR_PLAN', 'BALANCE', 'BILL'],
    {
      default: 'REGULAR',
      example: 'REGULAR',
    },
  )
  trigger?: string;

  @Choice('How the money comes in.', ['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP'], {
    required: true,
    example: 'DD',
  })
  means: string;

  @Choice(
    'How often.',
    ['MONTHLY', 'QUARTERLY', 'WEEKLY', 'FORTNIGHTLY', 'FOUR_WEEKLY', 'ANNUALLY', 'SIX_MONTHLY'],
    { example: 'MONTHLY' },
  )
  frequency?: string;

  @Integer('Day of the month on which it is due.', { nullable: true, example: 1 })
  day_of_month?: number | null;

  @Decimal('How much each time.', { whole: 8, places: 2, default: '0.00', example: '130.00' })
  amount?: string;

  @Decimal('Collect once the ledger is below this; for the trigger BALANCE.', { whole: 8, places: 2 })
  balance_threshold?: string;

  @Integer('Days from bill to collection; for the trigger BILL.')
  delay_days?: number;

  @Choice('Whether those are all days or working days.', ['FIXED', 'WORKING_DAYS'])
  delay_strategy?: string;

  @Flag('Whether it pays off a debt; it may then overlap with others.', { default: false })
  is_debt_repayment_plan?: boolean;

  @Decimal('The part of each amount that pays off debt.', { whole: 8, places: 2 })
  debt_repayment_element?: string;

  @CalendarDate('Until when that part is collected.')
  debt_repayment_end_date?: string;

  @Flag('Whether reviews leave it as it is; for the trigger REGULAR.', { default: false })
  exempt_from_payment_adequacy?: boolean;

  @ListOf('Amounts planned in advance, one of a kind a day.', Instalment)
  instalments?: Instalment[];

  @Text('Type of the ledger that it is for.', { example: 'MAIN' })
  ledger_code?: string;

  @Choice('Who pays.', ['CUSTOMER', 'FUEL_DIRECT'], { default: 'CUSTOMER' })
  paid_by?: string;
}
